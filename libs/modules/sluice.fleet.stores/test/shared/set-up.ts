/**
 * Test suite for a fleet store, with one server for all tests, separate resources for each test, and requirements that every store must
 * meet.
 */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@sluice/base';
import type { FleetStore } from '@sluice/fleet';
import { storeCases } from '@sluice/fleet/conformance';
import { openStore } from './stores.ts';

/** A store server used by tests. */
interface Server {
  readonly port: number;
  stop(): Promise<unknown>;
}

/** Parts of the test suite that depend on the kind of store. */
interface Engine<S extends Server> {
  /** Options for every store of the suite, including the kind of store. */
  readonly options: JsonObject;
  /** True if the store server is installed on this machine. Otherwise, the suite is skipped. */
  readonly has: boolean;
  /** Starts the store server of the suite. */
  start(): Promise<S>;
}

/** Registers the hooks of the suite, and one test for each property that all stores share. */
export function testStores<S extends Server>(engine: Engine<S>): StoreSuite<S> {
  const suite = new StoreSuite(engine);
  before(async function () {
    if (engine.has) await suite.start();
    else this.skip();
  });
  afterEach(() => suite.clean());
  after(() => suite.stop());
  for (const { title, run } of storeCases) {
    it(title, async () => {
      const cluster = randomUUID();
      const stores = await Promise.all(Array.from({ length: 10 }, () => suite.open(cluster)));
      await run(() => stores.pop() as FleetStore);
    });
  }
  return suite;
}

/** A store server and its open stores. Each store is closed after the test that opened it. */
class StoreSuite<S extends Server> {
  readonly #engine: Engine<S>;
  readonly #opened: FleetStore[] = [];
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  #server: S | null = null;

  constructor(engine: Engine<S>) {
    this.#engine = engine;
  }

  async start(): Promise<void> {
    this.#server = await this.#engine.start();
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  /** The store server that all tests of the suite share. */
  get server(): S {
    if (this.#server === null) throw new Error('the server runs from the first test on');
    return this.#server;
  }

  /** Opens a store on the shared server, or on the server at another port. */
  open(cluster: string = randomUUID(), port: number = this.server.port): Promise<FleetStore> {
    return this.openWith({ endpoints: [`127.0.0.1:${port}`] }, cluster);
  }

  async openWith(options: JsonObject, cluster: string = randomUUID()): Promise<FleetStore> {
    const store = await openStore({ ...this.#engine.options, ...options }, cluster);
    this.#opened.push(store);
    return store;
  }

  /** Returns the error that a store with the given options reports, or `null` if it is usable. */
  async failureOf(options: JsonObject): Promise<string | null> {
    return (await this.openWith(options)).head().then(
      () => null,
      (error: unknown) => (error as Error).message,
    );
  }

  /** Registers a resource to stop after the test. */
  cleaned<T extends { stop(): Promise<unknown> }>(each: T): T {
    this.later(() => each.stop());
    return each;
  }

  /** Registers a function that runs after the test. */
  later(cleanup: () => Promise<unknown>): void {
    this.#cleanups.push(cleanup);
  }

  async clean(): Promise<void> {
    for (const store of this.#opened.splice(0)) await store.close();
    for (const cleanup of this.#cleanups.splice(0)) await cleanup();
  }
}
