import { expect } from 'chai';
import { ratesBetween } from '../../src/page/state/rates.ts';
import { withSample, type Sample, type Stats } from '../../src/page/state/stats.ts';
import { joined, percentOf, sumOf, type StatsHistory } from '../../src/page/state/stats-history.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const step = 10;

/** Returns a statistics response whose data begins `first` steps after the start. */
function response(first: number, ...values: (number | null)[]): Parameters<typeof joined>[1] {
  const at = (index: number): string => new Date(start + index * step * 1000).toISOString();
  return { step, from: at(first), to: at(first + values.length), series: { requests: values }, upstreams: [] };
}

describe('statistics history of the dashboard', () => {
  const known: StatsHistory = joined(null, response(0, 1, 2, 3), 60);

  it('the statistics history appends new steps', () => {
    expect(joined(known, response(3, 4), 60)).to.deep.include({ from: start, series: { requests: [1, 2, 3, 4] } });
    expect(joined(known, response(3), 60).series).to.deep.equal({ requests: [1, 2, 3] });
  });

  it('the statistics history has a gap for missing steps, such as after a server restart', () => {
    expect(joined(known, response(5, 6), 60).series).to.deep.equal({ requests: [1, 2, 3, null, null, 6] });
  });

  it('the statistics history drops steps older than the range', () => {
    const { from, series } = joined(known, response(3, 4, 5), 40);
    expect([from, series['requests']]).to.deep.equal([start + step * 1000, [2, 3, 4, 5]]);
  });

  it('the statistics history starts over if the step length changes', () => {
    const minute = { ...response(3, 9), step: 60 };
    expect(joined(known, minute, 86_400).series).to.deep.equal({ requests: [9] });
  });

  it('the statistics history does not treat unknown values as 0', () => {
    expect(sumOf([1, null, null], [2, 3, null])).to.deep.equal([3, 3, null]);
    expect(percentOf([1, null, 0, 2], [4, 5, 0, null])).to.deep.equal([25, null, 0, null]);
  });
});

describe('samples of the dashboard statistics stream', () => {
  const sample = (at: number, length = 2): Sample => ({
    at,
    step: length,
    rate: 1,
    errors: 0,
    p50: 1,
    p99: 1,
    bytes: 1,
  });

  it('statistics samples contain gaps for missed events, but not for events that are slightly late', () => {
    const before = withSample(withSample([], sample(0)), sample(4900));
    expect(before.map(({ rate }) => rate)).to.deep.equal([1, 1]);
    const after = withSample(before, sample(60_000));
    expect(after.map(({ at, rate }) => [at, rate])).to.deep.equal([
      [0, 1],
      [4900, 1],
      [6900, null],
      [60_000, 1],
    ]);
    expect(withSample([sample(0, 10)], sample(12_000))).to.have.length(2);
  });

  it('the number of statistics samples is bounded', () => {
    let samples: readonly Sample[] = [];
    for (let at = 0; at < 1000; at++) samples = withSample(samples, sample(at * 20_000));
    expect(samples).to.have.length(300);
  });
});

describe('dashboard upstream rates', () => {
  const stats = (seconds: number, requests: number, failed: number, since = 'then'): Stats =>
    ({
      since,
      seconds,
      upstreams: [{ address: 'a:1', requests, status: { '2xx': requests - failed, '5xx': failed, cut: 0 } }],
    }) as unknown as Stats;

  it('an upstream rate is the increase between two readings', () => {
    const rates = ratesBetween(stats(10, 100, 0), stats(20, 150, 5));
    expect(rates.get('a:1')).to.deep.equal({ perSecond: 5, failed: 0.1 });
    expect(ratesBetween(stats(10, 100, 0), stats(20, 100, 0)).get('a:1')).to.deep.equal({ perSecond: 0, failed: 0 });
  });

  it('an upstream rate is unknown after a server restart', () => {
    expect(ratesBetween(stats(10, 100, 0), stats(20, 150, 5, 'now')).size).to.equal(0);
  });
});
