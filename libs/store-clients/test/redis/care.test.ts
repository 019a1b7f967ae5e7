import { expect } from 'chai';
import { careOf, isPrimary } from '../../src/redis/care.ts';

const info = (lines: Record<string, string | number>): string =>
  Object.entries(lines)
    .map(([name, value]) => `${name}:${value}\r\n`)
    .join('');
const careful = { aof_enabled: 1, maxmemory: 0, maxmemory_policy: 'noeviction' };

describe('careOf', () => {
  it('careOf is durable if every write is synced to disk', () => {
    expect(careOf(info(careful), 'always')).to.deep.equal({ durable: true, losses: [] });
  });

  it('careOf is not durable if appendfsync cannot be read', () => {
    expect(careOf(info(careful), undefined)).to.deep.equal({ durable: false, losses: [] });
  });

  it('careOf is not durable with snapshots or delayed writes', () => {
    expect(careOf(info({ ...careful, aof_enabled: 0 }), 'always').losses).to.have.length(1);
    for (const mode of ['everysec', 'no']) expect(careOf(info(careful), mode).losses).to.have.length(1);
  });

  it('careOf reports losses by eviction, unless there is no memory limit', () => {
    const drops = { ...careful, maxmemory_policy: 'allkeys-lru' };
    expect(careOf(info(drops), 'always').losses).to.deep.equal([]);
    expect(careOf(info({ ...drops, maxmemory: 1000 }), 'always').losses).to.have.length(1);
  });

  it('isPrimary recognizes a primary', () => {
    expect(isPrimary(info({ role: 'master' }))).to.equal(true);
    expect(isPrimary(info({ role: 'slave' }))).to.equal(false);
  });
});
