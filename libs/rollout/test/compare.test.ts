import { expect } from 'chai';
import type { TrafficCounts } from '@sluice/contracts';
import { worseOf } from '../src/compare.ts';
import { traffic } from './traffic.ts';

const good = traffic([[10, 1000]]);
const atOnce = { level: 0.01, expected: [], cells: [] };

describe('worseOf', () => {
  it('worseOf distinguishes failures of this server from failures of upstreams', () => {
    expect(worseOf(traffic([[10, 500]], 50, 0), good, atOnce)).to.equal(
      '10.0 % of the requests to changed routes failed with 5xx responses from this server, compared to 0.0 % without the change',
    );
    expect(worseOf(traffic([[10, 500]], 50, 50), good, atOnce))
      .to.include('10.0 % of the requests')
      .and.include('due to an upstream');
  });

  it('worseOf compares all failures if one side does not distinguish kinds of failures', () => {
    expect(worseOf(traffic([[10, 500]], 50, 50), traffic([[10, 500]], 0, null), atOnce)).to.include('failed with 5xx,');
    expect(worseOf(traffic([[10, 500]], 50, 50), traffic([[10, 500]], 50, null), atOnce)).to.equal(null);
  });

  it('worseOf detects a shift from failures of an upstream to failures of this server', () => {
    expect(worseOf(traffic([[10, 500]], 50, 0), traffic([[10, 500]], 50, 50), atOnce)).to.include('from this server');
  });

  for (const [title, now, before] of [
    ['all requests take three times as long', traffic([[30, 400]]), good],
    [
      'a third of the requests takes longer, hidden by a slow tail',
      traffic([
        [10, 260],
        [60, 140],
      ]),
      traffic([
        [10, 900],
        [500, 100],
      ]),
    ],
    [
      'three percent of the requests hang',
      traffic([
        [10, 970],
        [3000, 30],
      ]),
      traffic([
        [10, 4990],
        [20, 10],
      ]),
    ],
  ] as const)
    it(`worseOf detects that ${title}`, () => {
      expect(worseOf(now, before, atOnce)).to.include('took longer than');
    });

  for (const [title, now, before] of [
    ['latencies are equal', good, good],
    ['latencies below 5 ms differ', traffic([[2, 400]]), traffic([[0.2, 4000]])],
    ['few requests differ', traffic([[10, 3]], 1), good],
    ['one side has no requests', traffic([]), good],
  ] as const)
    it(`worseOf returns null if ${title}`, () => {
      expect(worseOf(now, before, atOnce)).to.equal(null);
    });
});

describe('worseOf with other responses', () => {
  const now = (more: Partial<TrafficCounts>): TrafficCounts => ({ ...traffic([[10, 500]]), ...more });

  for (const [counts, reason, expectation] of [
    [{ clientErrors: 50 }, '10.0 % of the requests to changed routes were rejected with 4xx', '4xx'],
    [{ redirects: 50 }, '10.0 % of the requests to changed routes were redirected (3xx)', '3xx'],
    [{ failures: 50 }, '10.0 % of the requests to changed routes failed with 5xx responses from this server', '5xx'],
    [{ cut: 50 }, '10.0 % of the requests to changed routes got no response', null],
    [{ latency: traffic([[99, 500]]).latency }, '100.0 % of the requests to changed routes took longer', 'latency'],
  ] as const) {
    it(`worseOf detects that ${reason}`, () => {
      expect(worseOf(now(counts), good, atOnce)).to.include(reason);
    });

    if (expectation !== null)
      it(`worseOf accepts that ${reason} if the plan expects ${expectation}`, () => {
        expect(worseOf(now(counts), good, { ...atOnce, expected: [expectation] })).to.equal(null);
      });
  }

  it('worseOf ignores responses that one side does not count', () => {
    expect(worseOf(now({ clientErrors: 50 }), { ...good, clientErrors: null }, atOnce)).to.equal(null);
  });

  it('worseOf ignores failures of a single client, but not failures of several clients', () => {
    const cells = (...failures: number[]): TrafficCounts[] => failures.map((each) => traffic([[10, 125]], each));
    const failing = traffic([[10, 500]], 50);
    expect(worseOf(failing, good, { ...atOnce, cells: cells(50, 0, 0, 0) })).to.equal(null);
    expect(worseOf(failing, good, { ...atOnce, cells: cells(20, 10, 10, 10) })).to.be.a('string');
  });

  it('worseOf compares all requests if they come from too few clients', () => {
    const failing = traffic([[10, 500]], 50);
    expect(worseOf(failing, good, { ...atOnce, cells: [failing, traffic([])] })).to.be.a('string');
  });
});
