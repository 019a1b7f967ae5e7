import { expect } from 'chai';
import { randomFrom, simulate, type Behavior, type Simulated } from './simulated-rollout.ts';

const usual: Behavior = { failing: 0.002, rejected: 0.03, latency: 20, tail: 0.02 };

/**
 * Simulates rollouts. Returns the number of rollouts that were rolled back, and for these the median number of requests handled with the
 * change.
 */
function play(runs: number, traffic: Simulated): { readonly stopped: number; readonly exposed: number } {
  const random = randomFrom(1);
  const ends = Array.from({ length: runs }, () => simulate(traffic, random)).filter(({ why }) => why !== null);
  const exposed = ends.map((end) => end.exposed).toSorted((a, b) => a - b);
  return { stopped: ends.length, exposed: exposed[Math.floor(exposed.length / 2)] ?? 0 };
}

describe('calibration of rollouts', () => {
  for (const [title, traffic, max] of [
    ['fail sometimes', { rate: 100, old: usual, new: usual }, 1],
    [
      'fail often',
      { rate: 100, old: { ...usual, failing: 0.05, rejected: 0.3 }, new: { ...usual, failing: 0.05, rejected: 0.3 } },
      1,
    ],
    // At 1 % of 105 requests/s, fewer than three cells have requests, so this client is not excluded (ADR 24).
    ['fail for one client', { rate: 100, old: usual, new: usual, badClient: 5 }, 10],
  ] as const) {
    it(`a change without an effect is never rolled back if requests ${title}`, function () {
      this.timeout(60_000);
      expect(play(20, traffic).stopped).to.equal(0);
    });

    it(`at most ${max} of 1,000 changes without effect are rolled back if requests ${title} @long`, function () {
      this.timeout(900_000);
      expect(play(1000, traffic).stopped).to.be.at.most(max);
    });
  }

  for (const [title, change, max] of [
    ['all requests fail', { failing: 1 }, 12],
    ['half of the requests fail', { failing: 0.5 }, 25],
    ['a tenth of the requests fails', { failing: 0.1 }, 200],
    ['all requests are rejected', { rejected: 0.99 }, 15],
    ['all requests take three times as long', { latency: 60 }, 50],
    ['a fifth of the requests hangs', { tail: 0.2 }, 200],
  ] as const)
    it(`if a change has the effect that ${title}, it is rolled back after a median of at most ${max} requests`, function () {
      this.timeout(60_000);
      const { stopped, exposed } = play(20, { rate: 200, old: usual, new: { ...usual, ...change } });
      expect(stopped).to.equal(20);
      expect(exposed).to.be.at.most(max);
    });
});
