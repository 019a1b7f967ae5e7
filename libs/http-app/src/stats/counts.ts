import { hashNode } from '@sluice/reconciler';
import { isObject, type Json } from '@sluice/base';
import type { TallyBlock } from '@sluice/threads';

/** Response classes by status, for counters 0 to 5. */
export const statusClasses = ['cut', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;
export const bytesIn = 6;
export const bytesOut = 7;
/** Index of the retry counter. A retry is a request that is sent to an upstream after another attempt failed. Used only in upstream blocks. */
export const retries = 9;
/** Index of the counter of 5xx responses caused by upstreams. Used only in request blocks. */
export const upstreamFailures = 10;

/** Counter index for each status. Status 0 means that the response was incomplete. */
export const numberOfStatus: Uint8Array = Uint8Array.from({ length: 1024 }, (_, status) =>
  status < 100 ? 0 : Math.min(Math.floor(status / 100), 5),
);

export function requestsIn(block: TallyBlock): number {
  let requests = 0;
  for (let i = 0; i < statusClasses.length; i++) requests += block.number(i);
  return requests;
}

/** Block types. The type is the first character of a block's name. */
const ofRequests = 'r';
const ofUpstream = 'u';
const ofCanary = 'c';

const noRoute = '0'.repeat(16);

export interface RequestBlockName {
  /** Hashes of the server, the route, and the enclosing routes; see {@link serverHash}, {@link routeHash} and {@link aroundHash}. */
  readonly server: string;
  readonly route: string;
  readonly around: string;
  /** Lowercase host without a port; empty for hosts without separate counters. */
  readonly host: string;
}

/** Identifies the counters for requests that no route handled, including requests of removed routes. */
export const outside = { route: noRoute, around: noRoute };

export function requestBlockName({ server, route, around, host }: RequestBlockName): string {
  return `${ofRequests}${server}${route}${around}${host}`;
}

/** Parses the name of a request block. Returns `null` for other names. */
export function parseRequestBlockName(name: string): RequestBlockName | null {
  if (!name.startsWith(ofRequests)) return null;
  return { server: name.slice(1, 17), route: name.slice(17, 33), around: name.slice(33, 49), host: name.slice(49) };
}

/** Returns the name of an upstream block. An empty address stands for all upstreams without separate counters. */
export function upstreamBlockName(address: string): string {
  return `${ofUpstream}${address}`;
}

/** Parses the name of an upstream block. Returns `null` for other names. */
export function parseUpstreamBlockName(name: string): string | null {
  return name.startsWith(ofUpstream) ? name.slice(1) : null;
}

/**
 * Number of client groups with separate counters. Only requests that use the change being rolled out are grouped. The groups reveal if a
 * single client causes a difference.
 */
export const canaryCells = 8;

/** Counter block names: one per client group for requests that use the change being rolled out, and one for requests that don't. */
export const canaryBlocks: Readonly<Record<'new' | 'old', readonly string[]>> = {
  new: Array.from({ length: canaryCells }, (_, cell) => `${ofCanary}new${cell}`),
  old: [`${ofCanary}old`],
};

/** Reports whether a block counts requests that are also counted in other blocks. */
export function isCanaryBlock(name: string): boolean {
  return name.startsWith(ofCanary);
}

export function serverHash(name: string): string {
  return hashNode(name);
}

/**
 * Returns the identity of a route: its `@id`, or a hash of its configuration if it has no `@id`. A route with an `@id` keeps its counters
 * when it is edited.
 */
export function routeHash(node: Json): string {
  const id = idOf(node);
  return hashNode(id === null ? node : ['@id', id]);
}

/**
 * Returns the identity of the enclosing routes. Includes only their matchers, because their handlers change whenever a nested route
 * changes.
 */
export function aroundHash(nodes: readonly Json[]): string {
  if (nodes.length === 0) return noRoute;
  return hashNode(nodes.map((node) => idOf(node) ?? (isObject(node) ? (node['match'] ?? null) : null)));
}

/** Returns the `@id` of a route. */
export function idOf(node: Json): string | null {
  const id = isObject(node) ? node['@id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : null;
}
