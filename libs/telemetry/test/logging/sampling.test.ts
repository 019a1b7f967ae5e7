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

describe('Sampling', () => {
  const options = { interval: 1e9, first: 3, thereafter: 4 };
  const written = 'yyynnnynnny';
  const text = (kept: readonly boolean[]): string => kept.map((one) => (one ? 'y' : 'n')).join('');

  it('Sampling writes the first entries of an interval, and then every Nth entry', () => {
    const sampling = new Sampling(options, 'a', null);
    expect(text(Array.from(written, (_, i) => sampling.keeps(entry(i))))).to.equal(written);
    expect(text(Array.from(written, (_, i) => sampling.keeps(entry(1000 + i))))).to.equal(written);
  });

  it('Sampling counts each level and message separately', () => {
    const sampling = new Sampling(options, 'a', null);
    const kinds = [entry(0), entry(0, 'other'), entry(0, 'm', 'error')];
    for (const kept of written) for (const kind of kinds) expect(sampling.keeps(kind)).to.equal(kept === 'y');
  });

  it('Sampling counts the entries of each log across all threads', () => {
    const memory = allocateSharedCells({ capacity: 16, threads: 3 });
    const cells = [0, 1, 2].map((thread) => new SharedCells(memory, thread));
    const threads = cells.map((each) => new Sampling(options, 'a', each));
    const other = new Sampling(options, 'b', new SharedCells(memory, 0));
    const kept = Array.from(written, (_, i) => (threads[i % 3] as Sampling).keeps(entry(i)));
    expect(text(kept)).to.equal(written);
    expect(other.keeps(entry(0))).to.equal(true);
    for (const sampling of threads) sampling.close();
  });

  it('Sampling restarts its count across all threads in the next interval', () => {
    const memory = allocateSharedCells({ capacity: 16, threads: 2 });
    const cells = [0, 1].map((thread) => new SharedCells(memory, thread));
    const threads = cells.map((each) => new Sampling(options, 'a', each));
    for (const begin of [1, 1001, 2500]) {
      const kept = Array.from(written, (_, i) => (threads[i % 2] as Sampling).keeps(entry(begin + i)));
      expect(text(kept), `at ${begin}`).to.equal(written);
    }
    expect(threads[0]?.keeps(entry(3498))).to.equal(false);
    expect(threads[1]?.keeps(entry(3500))).to.equal(true);
    expect(cells[0]?.inUse()).to.equal(1);
    for (const sampling of threads) sampling.close();
    expect(cells[0]?.inUse()).to.equal(0);
  });

  it('Sampling writes every entry whose kind is not among the first 256 kinds', () => {
    const sampling = new Sampling({ first: 1, thereafter: 1000 }, 'a', null);
    const kept = (kind: number): boolean[] => [1, 2].map(() => sampling.keeps(entry(1, `kind ${kind}`)));
    for (let kind = 0; kind < 256; kind++) expect(kept(kind)).to.deep.equal([true, false]);
    expect(kept(256)).to.deep.equal([true, true]);
    expect(sampling.keeps(entry(1, 'kind 0'))).to.equal(false);
  });

  it('Sampling writes the first 100 entries per second, and then every 100th entry, by default', () => {
    const sampling = new Sampling({}, 'a', null);
    const kept = Array.from({ length: 300 }, () => sampling.keeps(entry(0)));
    expect(kept.filter(Boolean)).to.have.length(102);
    expect(sampling.keeps(entry(999))).to.equal(false);
    expect(sampling.keeps(entry(1000))).to.equal(true);
  });
});
