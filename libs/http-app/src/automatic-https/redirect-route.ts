/** Inserts the HTTPS redirects into the routes of a server that listens on the HTTP port. */
import { isObject, type ChunkedList, type JsonArray } from '@sluice/base';
import { nowhere } from '../exchange/place.ts';
import type { Route } from '../routing/route.ts';

/** Redirect route that all servers share, so that their route lists can be compared by identity. */
const redirectRoute: Route = {
  group: '',
  terminal: true,
  sets: [[{ match: (exchange) => exchange.server?.redirects?.comesFirst(exchange) === true }]],
  handlers: [{ handle: (exchange) => exchange.server?.redirects?.respond(exchange) }],
  keys: null,
  places: [],
  matcherPlace: nowhere,
  readsBody: false,
  meter: null,
};

/** Inserts the redirect route before the first route without a host matcher. */
export function withRedirects(routes: ChunkedList<Route>, nodes: JsonArray): ChunkedList<Route> {
  const index = nodes.findIndex((node) => !namesHosts(node));
  return routes.replace(index < 0 ? routes.length : index, 0, [redirectRoute]);
}

function namesHosts(node: JsonArray[number]): boolean {
  const sets = isObject(node) ? node.match : null;
  return Array.isArray(sets) && (sets as JsonArray).some((set) => isObject(set) && Object.hasOwn(set, 'host'));
}
