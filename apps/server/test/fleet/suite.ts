/** Suites of tests with servers of one fleet, which run from before the first test until after the last. */
import { documentOf, FleetServer } from './fleet-of-three.ts';
import type { StoreEngine, StoreServer } from './store-servers.ts';

/** What a suite has. The servers, and the store, are there from the first test on. */
export interface FleetSuite<S extends StoreServer> {
  readonly servers: readonly FleetServer[];
  readonly store: () => S;
  /** One of them, counted from 0, and after the last from the first again. */
  readonly server: (index: number) => FleetServer;
}

/** What a suite is made of. */
interface SuiteOptions<S extends StoreServer> {
  readonly engine: StoreEngine<S>;
  /** Of the servers: `a`, `b` and `c` by default. */
  readonly names?: readonly string[];
  /** How many routes the document has. */
  readonly routes: number;
  /** Of a test, in milliseconds. */
  readonly timeout: number;
  /** In place of running all of them, the first with the document. */
  readonly start?: (suite: FleetSuite<S>) => Promise<void>;
}

async function runAll({ servers }: Pick<FleetSuite<StoreServer>, 'servers'>, routes: number): Promise<void> {
  const [first, ...others] = servers;
  await first?.run(documentOf(servers, routes));
  for (const other of others) await other.run();
}

/** Describes a suite; without its engine on this machine it is skipped, and says so. */
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
      for (const server of servers) await server.remove();
      await store?.stop();
    });
    tests(suite);
  });
}
