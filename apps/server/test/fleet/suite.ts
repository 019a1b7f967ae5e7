/** Registers test suites with servers of one fleet that run for the whole suite. */
import { documentOf, FleetServer } from './fleet-of-three.ts';
import type { StoreEngine, StoreServer } from './store-servers.ts';

/** Servers and store of a suite. They are available from the first test on. */
export interface FleetSuite<S extends StoreServer> {
  readonly servers: readonly FleetServer[];
  readonly store: () => S;
  /** Returns a server by its index modulo the number of servers. */
  readonly server: (index: number) => FleetServer;
}

interface SuiteOptions<S extends StoreServer> {
  readonly engine: StoreEngine<S>;
  /** Names of the servers. Default: `a`, `b` and `c`. */
  readonly names?: readonly string[];
  /** Number of routes in the document. */
  readonly routes: number;
  /** Test timeout in milliseconds. */
  readonly timeout: number;
  /** Custom startup function. Default: starts all servers, the first one with the document. */
  readonly start?: (suite: FleetSuite<S>) => Promise<void>;
}

async function runAll({ servers }: Pick<FleetSuite<StoreServer>, 'servers'>, routes: number): Promise<void> {
  const [first, ...others] = servers;
  await first?.run(documentOf(servers, routes));
  await Promise.all(others.map((other) => other.run()));
}

/** Registers a suite. If the store is not installed, the suite is skipped with a message. */
export function describeFleet<S extends StoreServer>(
  title: string,
  { engine, names = ['a', 'b', 'c'], routes, timeout, start = (suite) => runAll(suite, routes) }: SuiteOptions<S>,
  tests: (suite: FleetSuite<S>) => void,
): void {
  describe(engine.has ? title : `${title} (skipped: this machine has no ${engine.name})`, function () {
    this.timeout(timeout);
    let store: S | null = null;
    const servers: FleetServer[] = [];
    const suite: FleetSuite<S> = {
      servers,
      store: () => store as S,
      server: (index) => servers[index % servers.length] as FleetServer,
    };
    before(async function () {
      if (!engine.has) this.skip();
      store = await engine.start();
      const address = engine.address(store, 'test');
      for (const name of names) servers.push(await FleetServer.make(name, address));
      await start(suite);
    });
    after(async () => {
      await Promise.all(servers.map((server) => server.remove()));
      await store?.stop();
    });
    tests(suite);
  });
}
