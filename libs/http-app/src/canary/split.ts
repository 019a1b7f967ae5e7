/** Selects one of two servers for each request while a canary runs. */
import type { CanaryKey, CanaryTraffic } from '@sluice/registry';
import type { HeaderMap, RequestHead } from '@sluice/http1';
import type { SocketFacts } from '../engine/facts.ts';
import type { ServerHandle } from '../engine/server-handle.ts';
import type { ConnectionInfo, ConnectionNotes } from '../exchange/connection.ts';
import { canaryCells } from '../stats/counts.ts';
import { cookieOf } from '../placeholders/cookie.ts';

export type SplitRequest = Pick<RequestHead, 'headers'>;

/**
 * Number of parts into which the interval from 0 to 1 is divided. The parts are small enough that each cell contains clients of every
 * share.
 */
const grains = 2 ** 20;

/** Clients whose number is at or above this value never reach the canary. */
const never = 1;

/** Connection properties that determine where a request goes. */
export type SplitConnection = Pick<ConnectionInfo, 'remoteAddress' | 'unix'> & Pick<SocketFacts, 'notes'>;

type PointOf = (serving: ServerHandle, request: SplitRequest, connection: SplitConnection) => number;

export class CanarySplit {
  readonly server: ServerHandle;
  readonly #traffic: CanaryTraffic;
  readonly #point: PointOf;
  /**
   * Reports whether the client that sent a request can reach the canary. Requests of other clients are not compared. `null` if all clients
   * can reach the canary.
   */
  readonly isCompared: ((headers: HeaderMap) => boolean) | null;

  constructor(server: ServerHandle, traffic: CanaryTraffic) {
    this.server = server;
    this.#traffic = traffic;
    this.#point = pointOf(traffic.key, traffic.id);
    this.isCompared = comparisonOf(traffic.key);
  }

  /** Returns the canary server for clients within the canary's share. Returns `serving` for all other clients. */
  choose(serving: ServerHandle, request: SplitRequest, facts: SocketFacts): ServerHandle {
    return this.#point(serving, request, facts) < this.#traffic.share ? this.server : serving;
  }

  /** Returns the cell of a client that reaches the canary, from 0 to {@link canaryCells} - 1. All requests of a client are in the same cell. */
  cellOf(serving: ServerHandle, headers: HeaderMap, { remoteAddress, unix, notes }: ConnectionInfo): number {
    const point = this.#point(serving, { headers }, { remoteAddress, unix, notes: notes ?? noNotes() });
    return Math.floor(point * grains) % canaryCells;
  }
}

/**
 * Returns a function that maps a request to a number from 0 to 1. A share includes all numbers below it. Therefore, increasing the share
 * keeps all clients that were already included.
 */
function pointOf(key: CanaryKey, id: string): PointOf {
  const seed = seedOf(id);
  switch (key.of) {
    case 'connection':
      return (_serving, _request, { notes }) => (notes.point ??= nextPoint());
    case 'address':
      return (serving, { headers }, connection) => hashPoint(seed, serving.clientIp({ headers, connection }));
    case 'cookie': {
      const { name } = key;
      return (_serving, { headers }) => namedPoint(seed, cookieOf(headers, name));
    }
    case 'header': {
      const name = key.name.toLowerCase();
      return (_serving, { headers }) => namedPoint(seed, headers.joined(name));
    }
  }
}

/** Returns a function that checks, without hashing, whether a request's number is below {@link never}. */
function comparisonOf(key: CanaryKey): CanarySplit['isCompared'] {
  switch (key.of) {
    case 'connection':
    case 'address':
      return null;
    case 'cookie':
      return (headers) => isNamed(cookieOf(headers, key.name));
    case 'header': {
      const name = key.name.toLowerCase();
      return (headers) => isNamed(headers.joined(name));
    }
  }
}

/** Multiples of the golden ratio are evenly distributed modulo 1. As a result, even a few connections are split according to the share. */
const goldenRatio = 0.618_033_988_749_895;
let point = Math.random();

/** Returns notes for a simulated connection, which carries only one exchange. */
function noNotes(): ConnectionNotes {
  return { opening: null, point: null };
}

function nextPoint(): number {
  point = (point + goldenRatio) % 1;
  return point;
}

/**
 * Maps a cookie or header value to a number from 0 to 1. Requests without the cookie or header stay on the active configuration, because
 * their client may be assigned to either side later.
 */
function namedPoint(seed: number, value: string | undefined): number {
  return isNamed(value) ? hashPoint(seed, value) : never;
}

function isNamed(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}

/** Returns a hash seed for a rollout, so that each rollout starts with different clients. */
function seedOf(id: string): number {
  return addText(0x811c9dc5, id);
}

/**
 * Hashes a string to a number from 0 to 1. Applies FNV-1a to the code units, and then the finalizer of MurmurHash3, which separates similar
 * values.
 */
function hashPoint(seed: number, value: string): number {
  let hash = addText(seed, value);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

function addText(start: number, text: string): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
