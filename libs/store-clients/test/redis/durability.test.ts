import { expect } from 'chai';
import { durabilityOf, isPrimary } from '../../src/redis/durability.ts';

const info = (lines: Record<string, string | number>): string =>
  Object.entries(lines)
    .map(([name, value]) => `${name}:${value}\r\n`)
    .join('');
const careful = { aof_enabled: 1, maxmemory: 0, maxmemory_policy: 'noeviction' };

describe('durabilityOf', () => {
  it('durabilityOf reports a server as durable if every write is synced to disk', () => {
    expect(durabilityOf(info(careful), 'always')).to.deep.equal({ durable: true, losses: [] });
  });

  it('durabilityOf reports a server as not durable if appendfsync cannot be read', () => {
    expect(durabilityOf(info(careful), undefined)).to.deep.equal({ durable: false, losses: [] });
  });

  it('durabilityOf reports a server as not durable if it only saves snapshots or delays disk writes', () => {
    expect(durabilityOf(info({ ...careful, aof_enabled: 0 }), 'always').losses).to.have.length(1);
    for (const mode of ['everysec', 'no']) expect(durabilityOf(info(careful), mode).losses).to.have.length(1);
  });

  it('durabilityOf reports that eviction can lose data, unless there is no memory limit', () => {
    const drops = { ...careful, maxmemory_policy: 'allkeys-lru' };
    expect(durabilityOf(info(drops), 'always').losses).to.deep.equal([]);
    expect(durabilityOf(info({ ...drops, maxmemory: 1000 }), 'always').losses).to.have.length(1);
  });

  it('isPrimary recognizes a primary server', () => {
    expect(isPrimary(info({ role: 'master' }))).to.equal(true);
    expect(isPrimary(info({ role: 'slave' }))).to.equal(false);
  });
});
