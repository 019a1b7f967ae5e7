import { expect } from 'chai';
import { selectionPolicies, type Upstream } from '@sluice/http-app';
import type { JsonObject } from '@sluice/base';
import { register as registerProxy } from '@sluice/http.reverse_proxy';
import { makeExchange, provisionNamed } from '@sluice/testing';
import { SlowStartPolicy } from '../../src/reverse_proxy/slow-start.ts';

const duration = 10_000;
const began = 1_000_000;

/** A simulated upstream for {@link SlowStartPolicy}. Each request remains in flight for a fixed number of selections. */
class Simulated implements Upstream {
  avoided = false;
  healthy = true;
  recoveredAt = 0;
  requests = 0;
  selected = 0;
  readonly host = { draining: false };
  readonly pace: { readonly since: number; noteUnavailable(now: number): void; at: number };

  readonly address: string;

  constructor(address: string, since: number) {
    this.address = address;
    this.pace = {
      at: since,
      get since() {
        return this.at;
      },
      noteUnavailable(now) {
        this.at = now;
      },
    };
  }

  get available(): boolean {
    return !this.avoided && this.healthy && !this.host.draining;
  }
}

/** Returns a reproducible pseudorandom number generator. */
function random(): () => number {
  let state = 12_345;
  return () => (state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff) / 0x8000_0000;
}

interface Run {
  readonly policy: SlowStartPolicy;
  readonly clock: { now: number };
  readonly upstreams: readonly Simulated[];
  share(selections?: number): number;
}

async function running(
  config: JsonObject & { readonly policy: string },
  upstreams: readonly Simulated[],
  inFlight = 24,
): Promise<Run & { close(): Promise<void> }> {
  const { policy: name, ...options } = config;
  const { instance, close } = await provisionNamed(selectionPolicies, name, options, { register: [registerProxy] });
  const clock = { now: began };
  const policy = new SlowStartPolicy(instance, duration, { now: () => clock.now, random: random() });
  const exchange = makeExchange({});
  return {
    policy,
    clock,
    upstreams,
    close,
    share(selections = 12_000) {
      const queue: Simulated[] = [];
      let last = 0;
      for (let i = 0; i < selections; i++) {
        const selected = policy.select(upstreams, exchange) as Simulated | null;
        if (selected === null) throw new Error('no upstream was selected');
        expect(upstreams.every(({ avoided }) => !avoided)).to.equal(true);
        selected.requests++;
        queue.push(selected);
        if (selected === upstreams.at(-1)) last++;
        if (queue.length > inFlight) (queue.shift() as Simulated).requests--;
      }
      for (const each of queue) each.requests--;
      return last / selections;
    },
  };
}

const fourth = (): Simulated[] => ['a', 'b', 'c', 'd'].map((name, i) => new Simulated(name, i === 3 ? began : 1));

describe('slow start', () => {
  const real = Math.random;
  beforeEach(() => {
    Math.random = random();
  });
  afterEach(() => {
    Math.random = real;
  });

  for (const config of [
    { policy: 'random' },
    { policy: 'round_robin' },
    { policy: 'weighted_round_robin', weights: [1, 1, 1, 1] },
    { policy: 'least_conn' },
    { policy: 'random_choose', choose: 2 },
  ])
    it(`slow start increases the share of a new upstream linearly with ${config.policy}`, async () => {
      const run = await running(config, fourth());
      for (const part of [0, 0.25, 0.5, 0.75, 1]) {
        run.clock.now = began + part * duration;
        expect(run.share(), `after ${part} of the duration`).to.be.closeTo(part / 4, 0.03);
      }
      await run.close();
    });

  it('slow start distributes the other requests equally among the other upstreams', async () => {
    for (const policy of ['random', 'round_robin', 'weighted_round_robin', 'least_conn']) {
      const upstreams = [new Simulated('new', began), ...['a', 'b', 'c'].map((name) => new Simulated(name, 1))];
      const run = await running({ policy, ...(policy.startsWith('w') ? { weights: [1, 1, 1, 1] } : {}) }, upstreams);
      expect(run.share(), policy).to.be.closeTo(1 / 3, 0.03);
      await run.close();
    }
  });

  it('slow start does not affect policies that do not balance load', async () => {
    const upstreams = [new Simulated('a', began), new Simulated('b', 1)];
    const run = await running({ policy: 'first' }, upstreams);
    expect(run.share(100)).to.equal(0);
    await run.close();
  });

  it('slow start sends all requests to a new upstream if no other upstream is available', async () => {
    const upstreams = [new Simulated('a', 1), new Simulated('b', began)];
    upstreams[0]!.healthy = false;
    const run = await running({ policy: 'round_robin' }, upstreams);
    expect(run.share(100)).to.equal(1);
    await run.close();
  });

  it('slow start begins again when an upstream recovers or is no longer draining', async () => {
    for (const stop of [
      (u: Simulated, off: boolean) => (u.healthy = !off),
      (u: Simulated, off: boolean) => (u.host.draining = off),
    ]) {
      const run = await running({ policy: 'round_robin' }, fourth());
      run.clock.now = began + duration;
      expect(run.share()).to.be.closeTo(0.25, 0.01);
      stop(run.upstreams[3]!, true);
      run.clock.now += 60_000;
      expect(run.share(100)).to.equal(0);
      stop(run.upstreams[3]!, false);
      run.clock.now += duration / 2;
      expect(run.share()).to.be.closeTo(0.125, 0.02);
      await run.close();
    }
  });

  it('slow start begins when a health check marks the upstream healthy, even if no requests have arrived since', async () => {
    const run = await running({ policy: 'round_robin' }, fourth());
    run.upstreams[3]!.recoveredAt = began + 100_000;
    run.clock.now = began + 100_000 + duration / 4;
    expect(run.share()).to.be.closeTo(0.0625, 0.02);
    await run.close();
  });

  it('slow start ends if the clock is set back', async () => {
    const run = await running({ policy: 'round_robin' }, fourth());
    run.clock.now = began - 3_600_000;
    expect(run.share()).to.be.closeTo(0.25, 0.01);
    await run.close();
  });

  it('slow start does not select an upstream on which a request has failed', async () => {
    const upstreams = fourth();
    upstreams[0]!.avoided = true;
    const run = await running({ policy: 'round_robin' }, upstreams);
    for (let i = 0; i < 50; i++) expect(run.policy.select(upstreams, makeExchange({}))?.address).not.to.equal('a');
    expect(upstreams[0]!.avoided).to.equal(true);
    await run.close();
  });
});
