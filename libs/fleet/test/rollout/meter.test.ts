import { expect } from 'chai';
import { Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import { silentLogger } from '@sluice/base';
import { Registry } from '@sluice/registry';
import type { MeteredChange } from '@sluice/contracts';
import { beginning } from '@sluice/fleet';
import { Meter } from '../../src/rollout/meter.ts';
import { parsePlan } from '@sluice/rollout';
import type { RolloutChange } from '../../src/rollout/rollout.ts';

function changeOf(id: string): RolloutChange {
  const patch = [{ op: 'add', path: '/note', value: 'new' }];
  const plan = parsePlan('canary:1,all');
  return { id, base: beginning('fleet'), from: '', patch, inverse: [], who: 'test', when: 1, plan };
}

describe('Meter', () => {
  let counted = { requests: 0, failures: 0, lost: 0 };
  let opened: MeteredChange[] = [];
  let meter: Meter;
  let reconciler: Reconciler;
  before(async () => {
    const registry = new Registry();
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    await reconciler.load({ apps: {} });
  });
  after(() => reconciler.close());
  beforeEach(() => {
    counted = { requests: 100, failures: 10, lost: 3 };
    opened = [];
    meter = new Meter(async (_, change) => {
      opened.push(change);
      return {
        read: () => ({
          requests: counted.requests,
          failures: counted.failures,
          upstreamFailures: 0,
          clientErrors: 0,
          redirects: 0,
          cut: 0,
          latency: [],
        }),
        lost: () => counted.lost,
      };
    });
  });

  const count = async (window: number, isMade = true, change = changeOf('one')) => {
    const served = isMade ? 'all' : 'none';
    const { traffic, beside: _, ...rest } = await meter.count({ reconciler, change, served, window });
    return { ...rest, requests: traffic.requests, failures: traffic.failures };
  };

  it('Meter starts at zero and counts within a measurement window', async () => {
    expect(await count(1)).to.deep.equal({ window: 1, requests: 0, failures: 0, lost: 0 });
    counted = { requests: 130, failures: 11, lost: 3 };
    expect(await count(1)).to.deep.equal({ window: 1, requests: 30, failures: 1, lost: 0 });
    counted = { requests: 150, failures: 11, lost: 4 };
    expect(await count(1)).to.deep.equal({ window: 1, requests: 50, failures: 1, lost: 1 });
    expect(opened.length).to.equal(1);
  });

  it('Meter restarts with each measurement window, but keeps the count of workers that exited after the change was applied', async () => {
    await count(1);
    counted = { requests: 130, failures: 11, lost: 4 };
    expect(await count(2)).to.deep.equal({ window: 2, requests: 0, failures: 0, lost: 1 });
    counted = { requests: 135, failures: 12, lost: 4 };
    expect(await count(2)).to.deep.equal({ window: 2, requests: 5, failures: 1, lost: 1 });
    expect(opened.length).to.equal(1);
  });

  it('Meter starts at zero when the routes change, when the member applies the change, and when a rollout starts', async () => {
    await count(1, false);
    counted = { requests: 140, failures: 10, lost: 4 };
    expect(await count(1, true)).to.deep.equal({ window: 1, requests: 0, failures: 0, lost: 0 });
    counted = { requests: 150, failures: 10, lost: 4 };
    expect(await count(1, true, changeOf('two'))).to.deep.equal({ window: 1, requests: 0, failures: 0, lost: 0 });
    expect(opened.map(({ before, after, isMade }) => [before, after, isMade])).to.deep.equal([
      [{ apps: {} }, { apps: {}, note: 'new' }, false],
      [{ apps: {} }, { apps: {}, note: 'new' }, true],
      [{ apps: {} }, { apps: {}, note: 'new' }, true],
    ]);
  });

  it('Meter never returns negative counts, and returns zeros if no app counts requests', async () => {
    await count(1);
    counted = { requests: 20, failures: 0, lost: 3 };
    expect(await count(1)).to.deep.equal({ window: 1, requests: 0, failures: 0, lost: 0 });
    meter = new Meter(async () => null);
    expect(await count(1)).to.deep.equal({ window: 1, requests: 0, failures: 0, lost: 0 });
  });
});
