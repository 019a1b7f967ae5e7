/** How much care a server of Redis takes of what it has acknowledged. */

/** What it does. */
export interface RedisCare {
  /** Every acknowledged write is on disk: `appendfsync always`. */
  readonly durable: boolean;
  /** What can lose acknowledged writes, with the setting that does; empty if nothing but a failover can. */
  readonly losses: readonly string[];
}

/** Reads what a server says of itself: the text of `INFO`, and `appendfsync` where it may be asked for. */
export function careOf(info: string, appendfsync: string | undefined): RedisCare {
  const value = (name: string): string | undefined => new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
  const losses: string[] = [];
  if (value('aof_enabled') !== '1') losses.push('it keeps nothing on disk but snapshots (set appendonly yes)');
  else if (appendfsync !== undefined && appendfsync !== 'always')
    losses.push(`it writes to disk later than it says (set appendfsync always in place of ${appendfsync})`);
  const policy = value('maxmemory_policy');
  if (value('maxmemory') !== '0' && policy !== undefined && policy !== 'noeviction')
    losses.push(`it drops keys when its memory is full (set maxmemory-policy noeviction in place of ${policy})`);
  return { durable: losses.length === 0 && appendfsync === 'always', losses };
}

/** Whether a server takes writes. */
export function isPrimary(info: string): boolean {
  return /^role:master\r?$/m.test(info);
}
