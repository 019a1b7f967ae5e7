/** Which number of a block of counters is what, and the names of blocks. */
import { hashNode } from '@sluice/reconciler';
import { isObject, type Json } from '@sluice/base';
import type { TallyBlock } from '@sluice/threads';

/** Responses by the class of their status are numbers 0 to 5. */
export const statusClasses = ['cut', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;
/** Bytes of bodies. */
export const bytesIn = 6;
export const bytesOut = 7;
/** Requests that an upstream got after another try had failed; of blocks of upstreams only. */
export const retries = 9;

/** The number that counts a status; 0 for none, which is what a request has that was cut. */
export const numberOfStatus: Uint8Array = Uint8Array.from({ length: 1024 }, (_, status) =>
  status < 100 ? 0 : Math.min(Math.floor(status / 100), 5),
);

/** How many requests of a block are over. */
export function requestsIn(block: TallyBlock): number {
  let requests = 0;
  for (let i = 0; i < statusClasses.length; i++) requests += block.number(i);
  return requests;
}

/** Kinds of blocks, the first character of their names. */
const ofRequests = 'r';
const ofUpstream = 'u';

/** What stands for a route where there is none. */
const noRoute = '0'.repeat(16);

export interface RequestBlockName {
  /** {@link serverHash}, {@link routeHash} and {@link aroundHash}. */
  readonly server: string;
  readonly route: string;
  readonly around: string;
  /** In lower case, without a port; empty for all others. */
  readonly host: string;
}

/** The block of requests that no route took, and of routes that are gone. */
export const outside = { route: noRoute, around: noRoute };

export function requestBlockName({ server, route, around, host }: RequestBlockName): string {
  return `${ofRequests}${server}${route}${around}${host}`;
}

/** Reads the name of a block of requests; `null` for that of another. */
export function parseRequestBlockName(name: string): RequestBlockName | null {
  if (!name.startsWith(ofRequests)) return null;
  return { server: name.slice(1, 17), route: name.slice(17, 33), around: name.slice(33, 49), host: name.slice(49) };
}

/** The name of the block of an upstream; the empty address is all others. */
export function upstreamBlockName(address: string): string {
  return `${ofUpstream}${address}`;
}

/** Reads the name of the block of an upstream; `null` for that of another. */
export function parseUpstreamBlockName(name: string): string | null {
  return name.startsWith(ofUpstream) ? name.slice(1) : null;
}

/** What stands for a server. */
export function serverHash(name: string): string {
  return hashNode(name);
}

/**
 * What stands for a route: its `@id`, or else all that is configured of it, wherever it stands. A route that has an `@id`
 * goes on counting when it is edited.
 */
export function routeHash(node: Json): string {
  const id = idOf(node);
  return hashNode(id === null ? node : ['@id', id]);
}

/** What stands for a route among those around another: what it is for, as its handlers change with each route within. */
export function aroundHash(nodes: readonly Json[]): string {
  if (nodes.length === 0) return noRoute;
  return hashNode(nodes.map((node) => idOf(node) ?? (isObject(node) ? (node['match'] ?? null) : null)));
}

/** The `@id` of a route. */
export function idOf(node: Json): string | null {
  const id = isObject(node) ? node['@id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
