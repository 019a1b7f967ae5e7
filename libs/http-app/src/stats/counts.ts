import { hashNode } from '@sluice/reconciler';
import { isObject, type Json } from '@sluice/base';
import type { TallyBlock } from '@sluice/threads';

/** Responses by status class; counters 0 to 5. */
export const statusClasses = ['cut', '1xx', '2xx', '3xx', '4xx', '5xx'] as const;
export const bytesIn = 6;
export const bytesOut = 7;
/** Requests sent to an upstream after another attempt failed; only in upstream blocks. */
export const retries = 9;
/** 5xx responses due to upstreams; only in request blocks. */
export const upstreamFailures = 10;

/** Counter index by status. Status 0 means that the response was cut. */
export const numberOfStatus: Uint8Array = Uint8Array.from({ length: 1024 }, (_, status) =>
  status < 100 ? 0 : Math.min(Math.floor(status / 100), 5),
);

export function requestsIn(block: TallyBlock): number {
  let requests = 0;
  for (let i = 0; i < statusClasses.length; i++) requests += block.number(i);
  return requests;
}

/** Kinds of blocks. The kind is the first character of the name. */
const ofRequests = 'r';
const ofUpstream = 'u';
const ofCanary = 'c';

const noRoute = '0'.repeat(16);

export interface RequestBlockName {
  /** Hashes; see {@link serverHash}, {@link routeHash} and {@link aroundHash}. */
  readonly server: string;
  readonly route: string;
  readonly around: string;
  /** Lowercase host without port; empty for hosts that are not counted separately. */
  readonly host: string;
}

/** Counts requests that no route handled, and requests of removed routes. */
export const outside = { route: noRoute, around: noRoute };

export function requestBlockName({ server, route, around, host }: RequestBlockName): string {
  return `${ofRequests}${server}${route}${around}${host}`;
}

/** Parses the name of a request block; `null` for other names. */
export function parseRequestBlockName(name: string): RequestBlockName | null {
  if (!name.startsWith(ofRequests)) return null;
  return { server: name.slice(1, 17), route: name.slice(17, 33), around: name.slice(33, 49), host: name.slice(49) };
}

/**
 * Returns the name of an upstream block. The empty address represents all upstreams that are not counted separately.
 */
export function upstreamBlockName(address: string): string {
  return `${ofUpstream}${address}`;
}

/** Parses the name of an upstream block; `null` for other names. */
export function parseUpstreamBlockName(name: string): string | null {
  return name.startsWith(ofUpstream) ? name.slice(1) : null;
}

/** Number of groups of clients whose requests are counted separately, to recognize differences that are due to a single client. */
export const canaryCells = 8;

/** Returns the name of a block that counts the requests of some clients with a change that is being rolled out, or without it. */
export function canaryBlock(side: 'new' | 'old', cell: number): string {
  return `${ofCanary}${side}${cell}`;
}

/** Reports whether a block counts requests that other blocks also count. */
export function isCanaryBlock(name: string): boolean {
  return name.startsWith(ofCanary);
}

export function serverHash(name: string): string {
  return hashNode(name);
}

/**
 * Returns the identity of a route: its `@id`, or else a hash of its configuration. A route with an `@id` keeps its
 * counters when it is edited.
 */
export function routeHash(node: Json): string {
  const id = idOf(node);
  return hashNode(id === null ? node : ['@id', id]);
}

/**
 * Returns the identity of the enclosing routes. Includes only their matchers, because their handlers change with every
 * nested route.
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
