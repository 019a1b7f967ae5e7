import { expect } from 'chai';
import { joined, percentOf, sumOf, type StatsHistory } from '../../src/page/state/stats-history.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const step = 10;

/** A response that begins so many steps after the start. */
function response(first: number, ...values: (number | null)[]): Parameters<typeof joined>[1] {
  const at = (index: number): string => new Date(start + index * step * 1000).toISOString();
  return { step, from: at(first), to: at(first + values.length), series: { requests: values }, upstreams: [] };
}

describe('the history of statistics in the page', () => {
  const known: StatsHistory = joined(null, response(0, 1, 2, 3), 60);

  it('goes on with what is new', () => {
    expect(joined(known, response(3, 4), 60)).to.deep.include({ from: start, series: { requests: [1, 2, 3, 4] } });
    expect(joined(known, response(3), 60).series).to.deep.equal({ requests: [1, 2, 3] });
  });

  it('has a gap for steps that no response has, as after a restart of the server', () => {
    expect(joined(known, response(5, 6), 60).series).to.deep.equal({ requests: [1, 2, 3, null, null, 6] });
  });

  it('drops what is older than the range', () => {
    const { from, series } = joined(known, response(3, 4, 5), 40);
    expect([from, series['requests']]).to.deep.equal([start + step * 1000, [2, 3, 4, 5]]);
  });

  it('begins again if the steps have another length', () => {
    const minute = { ...response(3, 9), step: 60 };
    expect(joined(known, minute, 86_400).series).to.deep.equal({ requests: [9] });
  });

  it('does not take what is not known for 0', () => {
    expect(sumOf([1, null, null], [2, 3, null])).to.deep.equal([3, 3, null]);
    expect(percentOf([1, null, 0, 2], [4, 5, 0, null])).to.deep.equal([25, null, 0, null]);
  });
});
