import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { barOf, type ShownRollout } from '../../../src/cli/commands/fleet-rollout.ts';

const rollout: ShownRollout = {
  id: 'faster-search',
  state: 'holding',
  stage: 1,
  stages: ['canary:1', '50%', 'all'],
  hold_seconds: 30,
  held_seconds: 15.4,
  members: ['web-2', 'web-1'],
  by: 'web-1 ana',
  seen: { new: { requests: 900, failures: 1 }, old: { requests: 1800, failures: 0 } },
};

describe('sluice fleet rollout', () => {
  it('sluice fleet rollout prints the progress as a bar', () => {
    expect(barOf(rollout)).to.equal(
      [
        'rollout faster-search, requested by web-1 ana',
        `[${'#'.repeat(20)}${'.'.repeat(20)}] 50 %  holding`,
        'stages: canary:1 done > 50% 15 of 30 s > all',
        'with the change:    900 requests, 1 failed, web-2, web-1',
        'without the change: 1800 requests, 0 failed',
      ].join('\n'),
    );
  });

  it('the guide shows the output of sluice fleet rollout', async () => {
    const printed = barOf({
      ...rollout,
      id: '3f0c2a7e-…',
      stage: 2,
      stages: ['canary:1', '10%', '50%', 'all'],
      held_seconds: 0,
      members: ['web-7', 'web-2', 'web-4'],
      by: 'web-1',
      seen: { new: { requests: 2130, failures: 2 }, old: { requests: 2204, failures: 1 } },
    });
    expect(await readFile(new URL('../../../../../docs/guide/fleet.md', import.meta.url), 'utf8')).to.include(
      `\n${printed}\n`,
    );
  });

  it('sluice fleet rollout prints the reason for a pause or rollback, and the resulting revision', () => {
    const lines = (change: Partial<ShownRollout>): string | undefined =>
      barOf({ ...rollout, ...change }).split('\n')[1];
    expect(lines({ state: 'paused', why: 'too few requests' })).to.match(/ 50 % {2}paused: too few requests$/);
    expect(lines({ state: 'taken_back', why: 'aborted by web-3' })).to.match(/rolled back: aborted by web-3$/);
    expect(lines({ state: 'promoted', revision: 7 })).to.match(/ 100 % {2}applied on all members as revision 7$/);
    expect(lines({ state: 'spreading' })).to.match(/ 33 % {2}rolling out$/);
  });
});

describe('sluice rollout', () => {
  it('sluice rollout prints latencies and failures of upstreams', () => {
    const latency = { p50: 3, p95: 8, p99: 12 };
    const seen = {
      new: { requests: 900, failures: 2, upstream_failures: 1, latency_ms: latency },
      old: { requests: 1800, failures: 0 },
    };
    const { members: _, ...steps } = { ...rollout, seen, stages: ['1%', '50%', 'all'], split_by: 'cookie:session' };
    expect(barOf(steps).split('\n').slice(2)).to.deep.equal([
      'stages: 1% done > 50% 15 of 30 s > all',
      'with the change:    900 requests, 2 failed (1 by upstreams), p50 3 ms, p95 8 ms, p99 12 ms',
      'without the change: 1800 requests, 0 failed',
      'split by:           cookie:session',
    ]);
  });
});
