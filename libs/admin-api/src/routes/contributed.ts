/** Collects the routers of modules, and reads from them which paths and methods there are. */
import { SluiceError } from '@sluice/base';
import type {
  AdminHandler,
  AdminOperations,
  AdminRouter,
  AdminRoutes,
  Registry,
  RunningServer,
} from '@sluice/registry';
import { readBody } from '../http/body.ts';

/** A router with who made it. `stack` is how Express keeps what was added. */
export interface OwnedRouter<R extends ReadableRouter> {
  readonly owner: string;
  readonly router: R;
  /** Loads what its routes are for. */
  describe: () => Promise<AdminOperations>;
}

/** The part of a router that is read. */
export interface ReadableRouter extends AdminRouter {
  readonly stack: readonly { readonly route?: ReadableRoute }[];
}

interface ReadableRoute {
  readonly path: unknown;
  /** By handler: `undefined` for one of all methods. */
  readonly stack: readonly { readonly method?: string }[];
}

const nothingSaid = (): Promise<AdminOperations> => Promise.resolve({});

/** The methods by path, of all routers. */
export type RouteTable = ReadonlyMap<string, ReadonlySet<string>>;

/** What taps are given beside a router of their own. */
interface Given<R> {
  readonly makeRouter: () => R;
  readonly server: RunningServer;
  /** Largest request body in bytes. */
  readonly bodyLimit: number;
}

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Calls the hook `adminRoutes`: each tap gets a router of its own, so that it cannot reach the routes of others. */
export function collectRouters<R extends ReadableRouter>(
  { hooks: { adminRoutes } }: Registry,
  { makeRouter, server, bodyLimit }: Given<R>,
): readonly OwnedRouter<R>[] {
  const routers: OwnedRouter<R>[] = [];
  adminRoutes.intercept({
    tap: ({ name }) => void routers.push({ owner: `package ${name}`, router: makeRouter(), describe: nothingSaid }),
  });
  const given: AdminRoutes = {
    get router() {
      return (routers.at(-1) as OwnedRouter<R>).router;
    },
    raw: readRaw(bodyLimit),
    describe: (load) => void ((routers.at(-1) as OwnedRouter<R>).describe = load),
    server,
  };
  adminRoutes.call(given);
  return [...routers];
}

/** Reads what the routers have. Two routes of one method and path are an error, as the second were dead. */
export function tableOf(routers: readonly OwnedRouter<ReadableRouter>[]): RouteTable {
  const owners = new Map<string, string>();
  const table = new Map<string, Set<string>>();
  for (const { owner, router } of routers) {
    for (const { path, method } of router.stack.flatMap(({ route }) => routesOf(route, owner))) {
      const key = `${method.toUpperCase()} ${path}`;
      const other = owners.get(key);
      // One route may have several handlers, which run one after the other.
      if (other !== undefined)
        throw new SluiceError('ERR_ADMIN_ROUTE', `${other} and ${owner} both contribute the admin route ${key}`);
      owners.set(key, owner);
      table.set(path, (table.get(path) ?? new Set<string>()).add(method.toUpperCase()));
    }
  }
  return table;
}

function routesOf(route: ReadableRoute | undefined, owner: string): { path: string; method: string }[] {
  const refuse = (what: string): never => {
    throw new SluiceError(
      'ERR_ADMIN_ROUTE',
      `${owner} contributes ${what} to the admin API: its router takes get, post, put, patch and delete of a path`,
    );
  };
  if (route === undefined) return refuse('a handler for every request (router.use)');
  const { path } = route;
  if (typeof path !== 'string' || !path.startsWith('/')) return refuse(`a route whose path is ${String(path)}`);
  const used = new Set(route.stack.map(({ method = 'all' }) => method));
  const wrong = [...used].find((method) => !methods.has(method));
  return wrong === undefined ? [...used].map((method) => ({ path, method })) : refuse(`router.${wrong}(${path})`);
}

function readRaw(limit: number): AdminHandler {
  return async (request, _response, next) => {
    request.body = await readBody(request, limit);
    next();
  };
}
