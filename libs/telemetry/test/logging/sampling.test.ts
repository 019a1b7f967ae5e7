import { expect } from 'chai';
import { allocateSharedCells, SharedCells } from '@sluice/threads';
import type { LogEntry, LogLevel } from '@sluice/base';
import { Sampling } from '../../src/logging/sampling.ts';

const entry = (time: number, message = 'm', level: LogLevel = 'info'): LogEntry => ({
  time,
  level,
  message,
  logger: 'l',
  fields: {},
});

describe('log sampling', () => {
  const options = { interval: 1e9, first: 3, thereafter: 4 };
  const written = 'yyynnnynnny';
  const text = (kept: readonly boolean[]): string => kept.map((one) => (one ? 'y' : 'n')).join('');

  it('writes the first entries of an interval, and then every so-manieth', () => {
    const sampling = new Sampling(options, 'a', null);
    expect(text(Array.from(written, (_, i) => sampling.keeps(entry(i))))).to.equal(written);
    expect(text(Array.from(written, (_, i) => sampling.keeps(entry(1000 + i))))).to.equal(written);
  });

  it('counts each level and message for itself', () => {
    const sampling = new Sampling(options, 'a', null);
    const kinds = [entry(0), entry(0, 'other'), entry(0, 'm', 'error')];
    for (const kept of written) for (const kind of kinds) expect(sampling.keeps(kind)).to.equal(kept === 'y');
  });

  it('counts over all threads, by the name of the log', () => {
    const memory = allocateSharedCells({ capacity: 16, threads: 3 });
    const cells = [0, 1, 2].map((thread) => new SharedCells(memory, thread));
    const threads = cells.map((each) => new Sampling(options, 'a', each));
    const other = new Sampling(options, 'b', new SharedCells(memory, 0));
    const kept = Array.from(written, (_, i) => (threads[i % 3] as Sampling).keeps(entry(i)));
    expect(text(kept)).to.equal(written);
    expect(other.keeps(entry(0))).to.equal(true);
    for (const sampling of threads) sampling.close();
  });

  it('takes nothing for 100, 100 and a second', () => {
    const sampling = new Sampling({}, 'a', null);
    const kept = Array.from({ length: 300 }, () => sampling.keeps(entry(0)));
    expect(kept.filter(Boolean)).to.have.length(102);
    expect(sampling.keeps(entry(999))).to.equal(false);
    expect(sampling.keeps(entry(1000))).to.equal(true);
  });
});
