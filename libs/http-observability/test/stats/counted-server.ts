/** A test server that counts its requests, with minimal handlers and matchers. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '@sluice/base';
import {
  HttpError,
  httpHandlers,
  httpMatchers,
  provisionRoute,
  RequestStats,
  requestStatsToken,
  RouteList,
  routeOptions,
  type HttpHandler,
} from '@sluice/http-app';
import { defineModule, integer, list, options, string, type Registry, type RunningServer } from '@sluice/registry';
import { serve, type TestServer } from '@sluice/testing';
import { Slab, Tally, TallyStore } from '@sluice/threads';
import { statsLists } from '../../src/stats/stats-json.ts';
import { StatsReader } from '../../src/stats/stats-reader.ts';

const says = defineModule(httpHandlers, {
  name: 'says',
  help: 'Responds.',
  config: options({
    status: integer('Status; 0: raises an error of status 503.'),
    body: string('Body.'),
    wait: integer('Milliseconds before.'),
  }),
  provision: ({ status, body, wait }): HttpHandler => ({
    async handle(exchange) {
      if (wait != null) await sleep(wait);
      if (status === 0) throw new HttpError(503, 'no');
      exchange.response.writeHead(status ?? 200);
      exchange.response.end(body ?? '');
    },
  }),
});

const nest = defineModule(httpHandlers, {
  name: 'nest',
  help: 'Runs routes.',
  config: options({ routes: list('Routes.', routeOptions) }),
  async provision({ routes }, context): Promise<HttpHandler> {
    const { items } = await context.list((routes ?? []) as readonly Json[], provisionRoute, 'routes');
    const compiled = RouteList.compile(items);
    return { handle: (exchange, next) => compiled.enter(exchange, next) };
  },
});

const pass = defineModule(httpHandlers, {
  name: 'pass',
  help: 'Passes on.',
  config: options({}),
  provision: (): HttpHandler => ({ handle: (exchange, next) => next(exchange) }),
});

/** Declares a matcher with an array of strings. One of them must equal a value of the exchange. */
const texts = (name: 'host' | 'path') =>
  defineModule(httpMatchers, {
    name,
    help: 'Compares.',
    config: list('Texts.', string('A text.')),
    provision: (wanted) => ({ match: (exchange) => (wanted as readonly string[]).includes(exchange[name]) }),
  });

function register(registry: Registry): void {
  for (const module of [says, nest, pass, texts('host'), texts('path')]) registry.add(module);
}

/** Counters in one entry of the statistics. */
export interface CountedEntry {
  readonly requests: number;
  readonly own: number;
  readonly in_flight: number;
  readonly path: string;
  readonly id: string | null;
  readonly host: string;
  readonly status: Readonly<Record<string, number>>;
  readonly bytes_in: number;
  readonly bytes_out: number;
  readonly latency_ms: { readonly p50: number; readonly max: number } | null;
}

export interface StatsDocument {
  readonly total: CountedEntry;
  readonly servers: readonly CountedEntry[];
  readonly routes: readonly CountedEntry[];
  readonly hosts: readonly CountedEntry[];
  readonly left_out: Readonly<Record<string, number>>;
}

export interface CountedServer extends TestServer {
  readonly store: TallyStore;
  readonly reader: StatsReader;
  stats(top?: number): StatsDocument;
  /** Returns the number of requests by route path. */
  routes(): Record<string, number>;
}

export async function countedServer(routes: Json, server: Readonly<Record<string, Json>> = {}): Promise<CountedServer> {
  const store = new TallyStore();
  const tally: Tally = new Tally(
    store.slabsOf(0).map((memory) => new Slab(memory)),
    () => {
      const memory = store.grow(0);
      if (memory !== null) tally.extend(new Slab(memory));
    },
  );
  const services = new Map([[requestStatsToken, new RequestStats(tally)]]);
  const config: Json = { apps: { http: { servers: { s: { routes, ...server } } } } };
  const running = await serve(config, { register: [register], services });
  const { reconciler, runtime } = running;
  const view = {
    get effective(): Json {
      return reconciler.effective;
    },
    app: runtime.app.bind(runtime),
  } as Pick<RunningServer, 'effective' | 'app'>;
  const reader = new StatsReader(store, view);
  const stats = (top = 1000): StatsDocument =>
    reader.whole({ top, lists: statsLists, server: null, under: '' }) as StatsDocument;
  return {
    ...running,
    store,
    reader,
    stats,
    routes: () =>
      Object.fromEntries(
        stats().routes.map(({ path, requests }) => [path.slice('apps.http.servers.s.'.length), requests]),
      ),
  };
}
