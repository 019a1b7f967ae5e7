import { expect } from 'chai';
import { careOf, isPrimary } from '../../src/redis/care.ts';

const info = (lines: Record<string, string | number>): string =>
  Object.entries(lines)
    .map(([name, value]) => `${name}:${value}\r\n`)
    .join('');
const careful = { aof_enabled: 1, maxmemory: 0, maxmemory_policy: 'noeviction' };

describe('what a Redis takes care of', () => {
  it('is that every write is on disk, where it says so', () => {
    expect(careOf(info(careful), 'always')).to.deep.equal({ durable: true, losses: [] });
  });

  it('is not known to be so where it may not be asked', () => {
    expect(careOf(info(careful), undefined)).to.deep.equal({ durable: false, losses: [] });
  });

  it('is not what only snapshots keep, nor what is written later', () => {
    expect(careOf(info({ ...careful, aof_enabled: 0 }), 'always').losses).to.have.length(1);
    for (const mode of ['everysec', 'no']) expect(careOf(info(careful), mode).losses).to.have.length(1);
  });

  it('is not what it drops when memory is full; without a limit it never is', () => {
    const drops = { ...careful, maxmemory_policy: 'allkeys-lru' };
    expect(careOf(info(drops), 'always').losses).to.deep.equal([]);
    expect(careOf(info({ ...drops, maxmemory: 1000 }), 'always').losses).to.have.length(1);
  });

  it('begins with being a primary', () => {
    expect(isPrimary(info({ role: 'master' }))).to.equal(true);
    expect(isPrimary(info({ role: 'slave' }))).to.equal(false);
  });
});
