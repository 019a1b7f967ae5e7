/**
 * Fleet store of a PostgreSQL primary and a synchronous standby. When the primary fails, the standby replaces it and gets a new standby.
 * The primary is killed before the promotion, because operators of PostgreSQL must ensure that there are never two primaries.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasPostgres, PostgresServer, Relay } from '@sluice/testing';
import { until } from '../until.ts';
import { cut, heldUp, killed, stopped } from './common-faults.ts';
import type { EngineOptions, Fault, StoreEngine } from './engine.ts';

/** Application name that each standby uses to connect. */
const standbyName = 'pair';

/** SQL that returns all rows of all tables, as text. */
const everything = ['head', 'log', 'snapshot', 'lease', 'value']
  .map((name) => `SELECT row::text FROM sluice.fleet_${name} AS row`)
  .join(' UNION ALL ');

/** Both servers. */
class Pair {
  readonly relays: readonly [Relay, Relay];
  /** Relay through which the standby connects to the primary. */
  readonly link: Relay;
  readonly #servers: [PostgresServer, PostgresServer];
  /** Index of the PostgreSQL server that accepts writes. */
  #primary: 0 | 1 = 0;

  private constructor(servers: [PostgresServer, PostgresServer], relays: readonly [Relay, Relay], link: Relay) {
    this.#servers = servers;
    this.relays = relays;
    this.link = link;
  }

  static async start(): Promise<Pair> {
    const primary = await PostgresServer.start();
    // The standby inherits the primary's settings. If there is no standby, the primary acknowledges no changes.
    await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${standbyName}'`);
    await primary.query(`ALTER SYSTEM SET wal_retrieve_retry_interval = '100ms'`);
    await primary.query('SELECT pg_reload_conf()');
    const link = await Relay.start(primary.port);
    const standby = await primary.standby(link.port, standbyName);
    const pair = new Pair([primary, standby], [await Relay.start(primary.port), await Relay.start(standby.port)], link);
    await pair.whole();
    return pair;
  }

  get primary(): PostgresServer {
    return this.#servers[this.#primary];
  }

  get standby(): PostgresServer {
    return this.#servers[this.#standby];
  }

  /** Resolves when the standby has caught up and the primary waits for its acknowledgment of each change. */
  whole(): Promise<void> {
    const isWhole = `SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync' AND flush_lsn >= pg_current_wal_flush_lsn()`;
    return until(async () => (await this.primary.query(isWhole).catch(() => '')) === '1', 'the standby follows');
  }

  /** Kills the primary and promotes the standby. Another standby then follows the new primary. */
  async failOver(milliseconds: number): Promise<void> {
    await this.whole();
    const [dead, next] = [this.primary, this.standby];
    await dead.kill();
    await sleep(milliseconds);
    await next.query('SELECT pg_promote()');
    this.#primary = this.#standby;
    this.link.target = next.port;
    const standby = await next.standby(this.link.port, standbyName);
    this.#servers[this.#standby] = standby;
    this.relays[this.#standby].target = standby.port;
    await this.whole();
    await dead.stop();
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    for (const relay of [...this.relays, this.link]) await relay.stop();
  }

  get #standby(): 0 | 1 {
    return this.#primary === 0 ? 1 : 0;
  }
}

/** Starts the primary and the standby. Returns `null` if PostgreSQL is not installed. */
export async function startPostgres({ random }: EngineOptions): Promise<StoreEngine | null> {
  if (!hasPostgres) return null;
  const pair = await Pair.start();
  const { relays, link } = pair;
  const primary = current(() => pair.primary);
  const standby = current(() => pair.standby);
  const faults: readonly Fault[] = [
    killed('the primary', primary),
    stopped('the primary', primary),
    killed('the standby', standby),
    stopped('the standby', standby),
    { name: 'the standby takes over', strike: (milliseconds) => pair.failOver(milliseconds) },
    heldUp('clients', relays, random),
    heldUp('the link to the standby', [link], random),
    ...cut('clients', relays, random),
    ...cut('the link to the standby', [link], random),
  ];
  const endpoints = relays.map(({ port }) => `127.0.0.1:${port}`);
  return {
    name: 'postgres',
    address: (cluster) => `postgres://postgres@${endpoints.join(',')}/${cluster}?database=postgres`,
    store: { engine: 'postgres', endpoints, database: 'postgres', username: 'postgres' },
    dump: async () => [Buffer.from(await pair.primary.query(everything))],
    takeAway: async () => {
      await pair.standby.kill();
      await pair.primary.kill();
      return async () => {
        await pair.primary.run();
        await pair.standby.run();
        await pair.whole();
      };
    },
    faults: faults.map((fault) => ({
      ...fault,
      strike: async (milliseconds) => {
        await fault.strike(milliseconds);
        await pair.whole();
      },
    })),
    stop: () => pair.stop(),
  };
}

/** Returns the current primary, as the target of a fault. Each fault ends before the next one starts. */
function current(server: () => PostgresServer): Parameters<typeof killed>[1] {
  return {
    kill: () => server().kill(),
    run: () => server().run(),
    signal: (name) => server().signal(name),
  };
}
