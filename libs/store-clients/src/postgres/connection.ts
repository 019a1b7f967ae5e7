/** Calls to the primary of a PostgreSQL: one endpoint after the other until one takes them. A call is one statement, which is a transaction by itself. */
import type { Client, Pool, PoolClient } from 'pg';
import { guarded, messageOf, taskOf, unawaited } from '@sluice/base';
import type { StoreFaults } from '../faults.ts';
import { Hints } from '../hints.ts';
import { careQuery, clientConfig, readCare, type PostgresAddress, type PostgresCare } from './client.ts';
import { isElsewhere, isRefusal } from './errors.ts';
import { isSilence, SilentConnections } from './silent-connections.ts';

const owner = taskOf('sluice.store-clients');

/** A row, by the names of its columns. Numbers of 64 bits are texts. */
export type PostgresRow = Readonly<Record<string, unknown>>;

/** What the user of a connection wants to be done, and refused. */
export interface PostgresNeeds {
  /** Whether servers that may lose what they acknowledge are refused. */
  readonly strict: boolean;
  /** Statements that are run once before others, such as those that make tables. They may be run by several at once. */
  prepare(query: (text: string, values?: readonly unknown[]) => Promise<readonly PostgresRow[]>): Promise<void>;
}

/** Some connections, so that a transaction that waits for a standby does not keep others waiting. */
const most = 4;

/** Opened when it is first needed, and again after it was lost. */
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
  #care: PostgresCare | null = null;
  #closed = false;
  readonly #endings = new Set<Promise<void>>();

  constructor(address: PostgresAddress, faults: StoreFaults, needs: PostgresNeeds) {
    this.#address = address;
    this.#faults = faults;
    this.#needs = needs;
  }

  /** What the server does for what it has acknowledged; `null` until one was reached. */
  get care(): PostgresCare | null {
    return this.#care;
  }

  /** Runs a statement that may be run twice; rejects with the fault `refused`. */
  async run(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]> {
    const { error, rows } = await this.#attempt(text, values);
    if (error === null) return rows;
    throw this.#faults.refused(`postgres: ${messageOf(error)}`, error);
  }

  /** Runs one that may be run twice, and whose result matters: rejects with the fault `unknown` where it may have been made. */
  async decide(text: string, values: readonly unknown[]): Promise<readonly PostgresRow[]> {
    const { error, rows, uncertain } = await this.#attempt(text, values);
    if (error === null) return rows;
    throw uncertain ? this.#faults.unknown(error) : this.#faults.refused(`postgres: ${messageOf(error)}`, error);
  }

  /** Calls back when a channel was notified. A hint: what comes while there is no connection is lost. */
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
    // Each endpoint once, and one more where a connection was there and is lost: it may have been so for a while.
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
        const forgiven = client !== null && !again && !refused && !messageOf(error).includes('timeout');
        if (forgiven) again = true;
        else left--;
        if (left === 0) return { rows: [], error, uncertain };
      }
    }
  }

  async #open(): Promise<Pool> {
    const { Pool: Connections } = (await import('pg')).default;
    if (this.#closed) throw this.#faults.refused('postgres: the store was closed');
    if (this.#pool !== null) return this.#pool;
    const pool = new Connections({ ...clientConfig(this.#address, this.#endpoint), max: most, allowExitOnIdle: true });
    // Whatever is under way fails by itself; without it, the next call finds another connection.
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

  /** A connection of the pool to a server that takes writes, and keeps them; with the tables that are needed. */
  async #connect(pool: Pool): Promise<PoolClient> {
    const endpoint = this.#endpoint;
    if (this.#silent.count(endpoint) >= most)
      throw this.#faults.refused(`${endpoint} has not responded to the last ${most} statements`);
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
    const { rows } = await client.query<PostgresRow>(careQuery);
    const care = readCare(rows[0] ?? {});
    if (!care.primary) throw this.#faults.refused(`${this.#endpoint} is a standby`);
    if (this.#needs.strict && !care.durable)
      throw this.#faults.refused(
        `${this.#endpoint} may lose acknowledged writes; set fsync = on, or accept_loss: true`,
      );
    if (!care.waits) await client.query('SET synchronous_commit TO on');
    this.#care = care;
  }

  get #endpoint(): string {
    return this.#address.endpoints[this.#current] as string;
  }

  async #listen(channel: string): Promise<void> {
    const listener = (this.#listener ??= this.#openListener());
    try {
      const client = await listener;
      // One after the other, as the library demands.
      this.#listening = this.#listening.catch(() => undefined).then(() => client.query(`LISTEN "${channel}"`));
      await this.#listening;
      this.#hints.notify(channel); // Of what came before.
    } catch {
      // Who listens looks by itself now and then; a new connection listens again.
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

  /** Where it is not one that was dropped, the pool may be well, and nothing will open another: it is done here. */
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

  /** Ends the connections; the next call makes new ones. */
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

/** What came of a call; `uncertain` if a server may have made it without saying so. */
interface Attempt {
  readonly rows: readonly PostgresRow[];
  readonly error: unknown;
  readonly uncertain: boolean;
}
