/**
 * Connection to a PostgreSQL primary. A call may try several endpoints one after another. Each call is one statement, and thus one
 * transaction.
 */
import type { Client, Pool, PoolClient } from 'pg';
import { guarded, messageOf, taskOf, unawaited, itemAt } from '@sluice/base';
import type { StoreFaults } from '../faults.ts';
import { Hints } from '../hints.ts';
import {
  durabilityQuery,
  clientConfig,
  readDurability,
  type PostgresAddress,
  type PostgresDurability,
} from './client.ts';
import { isElsewhere, isRefusal } from './errors.ts';
import { isSilence, SilentConnections } from './silent-connections.ts';

const owner = taskOf('sluice.store-clients');

/** A result row by column name. 64-bit integers are represented as strings. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** Requirements that the calling code has for a connection. */
export interface PostgresNeeds {
  /** True to reject servers that may lose acknowledged writes. */
  readonly strict: boolean;
  /** Runs setup statements before the first call, for example to create tables. Several clients may run them concurrently. */
  prepare(query: (text: string, values?: readonly unknown[]) => Promise<readonly PostgresRow[]>): Promise<void>;
}

/**
 * Maximum number of connections. If there were only one connection, a transaction that waits for a standby would block all other
 * transactions.
 */
const maxConnections = 4;

/** Connection that is opened on first use and reopened after a failure. */
export class PostgresConnection {
  readonly #address: PostgresAddress;
  readonly #faults: StoreFaults;
  readonly #needs: PostgresNeeds;
  #current = 0;
  #pool: Pool | null = null;
  readonly #examined = new WeakSet<PoolClient>();
  readonly #silent = new SilentConnections();
  #prepared: Promise<void> | null = null;
  #listener: Promise<Client> | null = null;
  readonly #hints = new Hints();
  #listening: Promise<unknown> = Promise.resolve();
  #durability: PostgresDurability | null = null;
  #closed = false;
  readonly #endings = new Set<Promise<void>>();

  constructor(address: PostgresAddress, faults: StoreFaults, needs: PostgresNeeds) {
    this.#address = address;
    this.#faults = faults;
    this.#needs = needs;
  }

  /** Durability guarantees of the server; `null` before the first connection. */
  get durability(): PostgresDurability | null {
    return this.#durability;
  }

  /** Runs an idempotent statement. Rejects with the fault `refused`. */
  async run(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]> {
    const { error, rows } = await this.#attempt(text, values);
    if (error === null) return rows;
    throw this.#faults.refused(`postgres: ${messageOf(error)}`, error);
  }

  /**
   * Runs an idempotent statement when the caller must know whether it took effect. Rejects with the fault `unknown` if the statement may
   * have been executed.
   */
  async decide(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]> {
    const { error, rows, uncertain } = await this.#attempt(text, values);
    if (error === null) return rows;
    throw uncertain ? this.#faults.unknown(error) : this.#faults.refused(`postgres: ${messageOf(error)}`, error);
  }

  /** Subscribes to notifications on a channel. Notifications are only hints: those sent while the client is disconnected are lost. */
  subscribe(channel: string, listener: () => void): () => void {
    const end = this.#hints.listen(channel, listener);
    unawaited(owner, this.#listen(channel));
    return end;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#drop();
    this.#silent.close();
    await Promise.all(this.#endings);
  }

  async #attempt(text: string, values: readonly unknown[]): Promise<Attempt> {
    let uncertain = false;
    let again = false;
    let left = this.#address.endpoints.length;
    // Try each endpoint once, and one more time if an existing connection turns out to be lost.
    for (;;) {
      const pool = await this.#open();
      const endpoint = this.#endpoint;
      let client: PoolClient | null = null;
      try {
        client = await this.#connect(pool);
        const { rows } = await client.query<PostgresRow>(text, [...values]);
        client.release();
        return { rows, error: null, uncertain };
      } catch (error) {
        const refused = isRefusal(error);
        if (client !== null) {
          uncertain ||= !refused;
          if (isSilence(error)) this.#silent.hold(endpoint, client);
          else client.release(!refused);
        }
        if (refused && !isElsewhere(error)) return { rows: [], error, uncertain };
        if (this.#pool === pool) this.#turn();
        const retried = client !== null && !again && !refused && !messageOf(error).includes('timeout');
        if (retried) again = true;
        else left--;
        if (left === 0) return { rows: [], error, uncertain };
      }
    }
  }

  async #open(): Promise<Pool> {
    const { Pool: Connections } = (await import('pg')).default;
    if (this.#closed) throw this.#faults.refused('postgres: the store is closed');
    if (this.#pool !== null) return this.#pool;
    const pool = new Connections({
      ...clientConfig(this.#address, this.#endpoint),
      max: maxConnections,
      allowExitOnIdle: true,
    });
    // Ignore the error. Calls in progress report it themselves, and the next call opens a new connection.
    const ignore = guarded(owner, () => undefined);
    pool.on('error', ignore);
    pool.on(
      'connect',
      guarded(owner, (client: PoolClient) => void client.on('error', ignore)),
    );
    this.#pool = pool;
    for (const channel of this.#hints.channels) unawaited(owner, this.#listen(channel));
    return pool;
  }

  /** Returns a pooled connection to a durable primary, after the setup statements have run. */
  async #connect(pool: Pool): Promise<PoolClient> {
    const endpoint = this.#endpoint;
    if (this.#silent.count(endpoint) >= maxConnections)
      throw this.#faults.refused(`${endpoint} did not respond to the last ${maxConnections} statements`);
    const client = await pool.connect();
    try {
      if (!this.#examined.has(client)) await this.#examine(client);
      this.#examined.add(client);
      this.#prepared ??= this.#needs.prepare(
        async (text, values = []) => (await client.query<PostgresRow>(text, [...values])).rows,
      );
      await this.#prepared;
      return client;
    } catch (error) {
      this.#prepared = null;
      if (isSilence(error)) this.#silent.hold(endpoint, client);
      else client.release(true);
      throw error;
    }
  }

  async #examine(client: PoolClient): Promise<void> {
    const { rows } = await client.query<PostgresRow>(durabilityQuery);
    const durability = readDurability(rows[0] ?? {});
    if (!durability.primary) throw this.#faults.refused(`${this.#endpoint} is a standby, which does not accept writes`);
    if (this.#needs.strict && !durability.durable)
      throw this.#faults.refused(
        `${this.#endpoint} may lose acknowledged writes; set fsync = on in PostgreSQL, or set accept_loss: true`,
      );
    if (!durability.waits) await client.query('SET synchronous_commit TO on');
    this.#durability = durability;
  }

  get #endpoint(): string {
    return itemAt(this.#address.endpoints, this.#current);
  }

  async #listen(channel: string): Promise<void> {
    const listener = (this.#listener ??= this.#openListener());
    try {
      const client = await listener;
      // Chain the queries, because the library doesn't support concurrent queries on a connection.
      this.#listening = this.#listening.catch(() => undefined).then(() => client.query(`LISTEN "${channel}"`));
      await this.#listening;
      this.#hints.notify(channel); // Subscribers may have missed earlier notifications.
    } catch {
      // Subscribers also poll, so a failure is tolerable. A new connection subscribes again.
      if (this.#listener === listener) this.#listener = null;
    }
  }

  #openListener(): Promise<Client> {
    const opened: Promise<Client> = this.#connectListener(() => this.#listenerLost(opened));
    return opened;
  }

  async #connectListener(lost: () => void): Promise<Client> {
    const { Client: Connection } = (await import('pg')).default;
    const client = new Connection(clientConfig(this.#address, this.#endpoint));
    client.on(
      'notification',
      guarded(owner, ({ channel }: { readonly channel: string }) => this.#hints.notify(channel)),
    );
    client.on(
      'error',
      guarded(owner, () => undefined),
    );
    await client.connect();
    client.on('end', guarded(owner, lost));
    return client;
  }

  /** Reconnects a lost listener, unless it was closed deliberately. The pool may be intact, so no other code would reconnect it. */
  #listenerLost(listener: Promise<Client>): void {
    if (this.#closed) return;
    const again = this.#listener === listener;
    if (again) this.#listener = null;
    this.#hints.notifyAll();
    if (again) for (const channel of this.#hints.channels) unawaited(owner, this.#listen(channel));
  }

  #turn(): void {
    this.#drop();
    this.#current = (this.#current + 1) % this.#address.endpoints.length;
  }

  /** Closes all connections. The next call opens new ones. */
  #drop(): void {
    this.#ending(this.#pool?.end());
    this.#ending(this.#listener?.then((client) => client.end()));
    this.#pool = null;
    this.#listener = null;
  }

  #ending(promise: Promise<void> | undefined): void {
    if (promise === undefined) return;
    const ended = promise.catch(() => undefined).finally(() => this.#endings.delete(ended));
    this.#endings.add(ended);
  }
}

/** Result of a call. `uncertain` is true if a server may have executed the call without responding. */
interface Attempt {
  readonly rows: readonly PostgresRow[];
  readonly error: unknown;
  readonly uncertain: boolean;
}
