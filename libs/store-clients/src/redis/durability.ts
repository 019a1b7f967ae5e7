/** A Redis server's durability guarantees for acknowledged writes. */

export interface RedisDurability {
  /** True if every acknowledged write is on disk (`appendfsync always`). */
  readonly durable: boolean;
  /** Reasons why acknowledged writes may be lost, each with the setting to change. Empty if only a failover can lose writes. */
  readonly losses: readonly string[];
}

/** Parses the output of `INFO`, and the `appendfsync` setting if the server permits reading it. */
export function durabilityOf(info: string, appendfsync: string | undefined): RedisDurability {
  const value = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const losses: string[] = [];
  if (value('aof_enabled') !== '1') losses.push('the server persists only snapshots (set appendonly yes)');
  else if (appendfsync !== undefined && appendfsync !== 'always')
    losses.push(
      `the server acknowledges writes before they are on disk (set appendfsync always instead of ${appendfsync})`,
    );
  const policy = value('maxmemory_policy');
  if (value('maxmemory') !== '0' && policy !== undefined && policy !== 'noeviction')
    losses.push(
      `the server evicts keys when its memory is full (set maxmemory-policy noeviction instead of ${policy})`,
    );
  return { durable: losses.length === 0 && appendfsync === 'always', losses };
}

/** Reports whether a server is a primary, which accepts writes. */
export function isPrimary(info: string): boolean {
  return /^role:master\r?$/m.test(info);
}
