/**
 * Storage in PostgreSQL, in the tables `certmagic_data` and `certmagic_locks`. Each operation is a single statement that uses server
 * timestamps.
 */
import { randomUUID } from 'node:crypto';
import type { LockOptions, Storage, StorageLock, StoredInfo, StorageTimes } from '@sluice/contracts';
import { RenewedLease } from '@sluice/store-clients';
import { PostgresConnection, type PostgresAddress } from '@sluice/store-clients/postgres';
import { awaitLock, defaultTimes } from '../server/await-lock.ts';
import { lockLost, storageFaults } from '../server/faults.ts';
import { checkKey, childrenOf } from '../server/keys.ts';

/** Creates the same tables as the Caddy module, with an additional token column for fenced locks. Concurrent executions wait for each other. */
const creation = `
BEGIN;
SELECT pg_advisory_xact_lock(7308339911);
CREATE TABLE IF NOT EXISTS certmagic_data (key text PRIMARY KEY, value bytea, modified timestamptz DEFAULT current_timestamp);
CREATE TABLE IF NOT EXISTS certmagic_locks (key text PRIMARY KEY, expires timestamptz DEFAULT current_timestamp);
ALTER TABLE certmagic_locks ADD COLUMN IF NOT EXISTS token text;
COMMIT`;

/** Query that checks whether the tables from {@link creation} already exist. */
const complete = `SELECT 1 FROM information_schema.columns
WHERE table_name = 'certmagic_locks' AND column_name = 'token' AND table_schema = ANY(current_schemas(false))`;

const below = `(key = $1 OR starts_with(key, $1 || '/'))`;

const statements = {
  load: 'SELECT value FROM certmagic_data WHERE key = $1',
  exists: `SELECT 1 FROM certmagic_data WHERE ${below} LIMIT 1`,
  list: `SELECT key FROM certmagic_data WHERE $1 = '' OR starts_with(key, $1 || '/')`,
  stat: 'SELECT octet_length(value) AS size, extract(epoch FROM modified) * 1000 AS modified FROM certmagic_data WHERE key = $1',
  /**
   * Writes values. Parameters: lock name and lock token, or `null`; keys and values to write; keys to remove. The lock's row stays locked
   * until the end of the statement.
   */
  write: `
WITH held AS (SELECT key FROM certmagic_locks WHERE key = $1 AND token = $2 AND expires > clock_timestamp() FOR UPDATE),
  allowed AS (SELECT $2::text IS NULL OR EXISTS (SELECT FROM held) AS yes),
  removed AS (DELETE FROM certmagic_data USING allowed, unnest($5::text[]) AS gone (name)
    WHERE yes AND (key = name OR starts_with(key, name || '/'))),
  written AS (INSERT INTO certmagic_data (key, value, modified)
    SELECT name, bytes, clock_timestamp() FROM allowed, unnest($3::text[], $4::bytea[]) AS rows (name, bytes) WHERE yes
    ON CONFLICT (key) DO UPDATE SET value = excluded.value, modified = excluded.modified)
SELECT yes FROM allowed`,
  /** Acquires a lock. Parameters: lock name, lock token, lease duration in milliseconds. */
  lock: `
INSERT INTO certmagic_locks AS held (key, token, expires) VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond')
ON CONFLICT (key) DO UPDATE SET token = excluded.token, expires = excluded.expires
  WHERE held.expires <= clock_timestamp() OR held.token = excluded.token
RETURNING key`,
  renew: `UPDATE certmagic_locks SET expires = clock_timestamp() + $3 * interval '1 millisecond'
WHERE key = $1 AND token = $2 AND expires > clock_timestamp() RETURNING key`,
  release: 'DELETE FROM certmagic_locks WHERE key = $1 AND token = $2',
};

/** Stores values in table rows. Connects on demand. */
export class PostgresStorage implements Storage {
  readonly #connection: PostgresConnection;
  readonly #times: StorageTimes;

  constructor(address: PostgresAddress, times: StorageTimes = defaultTimes) {
    this.#times = times;
    this.#connection = new PostgresConnection(address, storageFaults, {
      strict: false,
      prepare: async (query) => {
        // A database user without permission to create tables can use existing ones.
        if ((await query(complete)).length === 0) await query(creation);
      },
    });
  }

  async load(key: string): Promise<Buffer | null> {
    const [row] = await this.#connection.run(statements.load, [key]);
    return (row?.['value'] ?? null) as Buffer | null;
  }

  async store(key: string, value: Buffer | string): Promise<void> {
    await this.#write(new Map([[key, value]]), null);
  }

  async delete(key: string): Promise<void> {
    await this.#write(new Map([[key, null]]), null);
  }

  async exists(key: string): Promise<boolean> {
    return (await this.#connection.run(statements.exists, [key])).length > 0;
  }

  async list(prefix: string, recursive = false): Promise<readonly string[]> {
    const rows = await this.#connection.run(statements.list, [prefix]);
    const keys = rows.map((row) => row['key'] as string);
    return recursive ? keys.sort() : childrenOf(prefix, keys);
  }

  async stat(key: string): Promise<StoredInfo | null> {
    const [row] = await this.#connection.run(statements.stat, [key]);
    if (row === undefined) return (await this.exists(key)) ? { key, modified: 0, size: 0, terminal: false } : null;
    return { key, modified: Number(row['modified']), size: Number(row['size']), terminal: true };
  }

  lock(name: string, options: LockOptions = {}): Promise<StorageLock> {
    return awaitLock(() => this.#take(name), options, this.#times);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #take(name: string): Promise<StorageLock | null> {
    const [token, asked] = [randomUUID(), performance.now()];
    const { span } = this.#times;
    if ((await this.#connection.run(statements.lock, [name, token, span])).length === 0) return null;
    const lease = new RenewedLease(
      { name, token, span, asked },
      {
        renew: async () => (await this.#connection.run(statements.renew, [name, token, span])).length > 0,
        release: async () => void (await this.#connection.run(statements.release, [name, token])),
      },
    );
    return {
      lost: lease.lost,
      write: (values) => this.#write(values, lease),
      release: () => lease.release(),
    };
  }

  async #write(values: ReadonlyMap<string, Buffer | string | null>, lease: RenewedLease | null): Promise<void> {
    for (const key of values.keys()) checkKey(key);
    const kept = [...values].filter(([, value]) => value !== null);
    const [row] = await this.#connection.decide(statements.write, [
      lease?.name ?? null,
      lease?.token ?? null,
      kept.map(([key]) => key),
      kept.map(([, value]) => Buffer.from(value as Buffer | string)),
      [...values].filter(([, value]) => value === null).map(([key]) => key),
    ]);
    if (row?.['yes'] !== true) throw lockLost(lease?.name ?? '');
  }
}
