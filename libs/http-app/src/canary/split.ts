/** Decides which of two servers handles a request while a canary runs. */
import type { CanaryKey, CanaryTraffic } from '@sluice/registry';
import type { HeaderMap, RequestHead } from '@sluice/http1';
import type { SocketFacts } from '../engine/facts.ts';
import type { ServerHandle } from '../engine/server-handle.ts';
import type { ConnectionInfo, ConnectionNotes } from '../exchange/connection.ts';
import { canaryCells } from '../stats/counts.ts';
import { cookieOf } from '../placeholders/cookie.ts';

export type SplitRequest = Pick<RequestHead, 'headers'>;

/** Divides the points finely, so that clients of each share are in all cells. */
const grains = 2 ** 20;

/** Clients at or above a share of this value never reach the canary. */
const never = 1;

/** Facts about the connection of a request. */
export type SplitConnection = Pick<ConnectionInfo, 'remoteAddress' | 'unix'> & Pick<SocketFacts, 'notes'>;

type PointOf = (serving: ServerHandle, request: SplitRequest, connection: SplitConnection) => number;

export class CanarySplit {
  readonly server: ServerHandle;
  readonly #traffic: CanaryTraffic;
  readonly #point: PointOf;

  constructor(server: ServerHandle, traffic: CanaryTraffic) {
    this.server = server;
    this.#traffic = traffic;
    this.#point = pointOf(traffic.key, traffic.id);
  }

  /** Returns the canary's server for its share of clients, otherwise `serving`. */
  choose(serving: ServerHandle, request: SplitRequest, facts: SocketFacts): ServerHandle {
    return this.#point(serving, request, facts) < this.#traffic.share ? this.server : serving;
  }

  /**
   * Returns the cell of a request's client, from 0 to {@link canaryCells} - 1, or -1 if the client never reaches the canary, so that its requests
   * are not compared. All requests of a client are in the same cell.
   */
  cellOf(serving: ServerHandle, headers: HeaderMap, { remoteAddress, unix, notes }: ConnectionInfo): number {
    const point = this.#point(serving, { headers }, { remoteAddress, unix, notes: notes ?? noNotes() });
    return point < never ? Math.floor(point * grains) % canaryCells : -1;
  }
}

/**
 * Returns the function that maps a request to a number from 0 to 1. A share includes all numbers below it, so a larger
 * share keeps the clients of a smaller one.
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

/**
 * Multiples of the golden ratio are evenly distributed modulo 1, so that even a few connections are split by the share.
 */
const goldenRatio = 0.618_033_988_749_895;
let point = Math.random();

/** Notes of a connection that is simulated for one exchange. */
function noNotes(): ConnectionNotes {
  return { opening: null, point: null };
}

function nextPoint(): number {
  point = (point + goldenRatio) % 1;
  return point;
}

/**
 * Requests without the cookie or header stay on the serving configuration, because their client may be assigned to
 * either side later.
 */
function namedPoint(seed: number, value: string | undefined): number {
  return value === undefined || value === '' ? never : hashPoint(seed, value);
}

/** Returns a hash seed for a rollout, so that each rollout starts with different clients. */
function seedOf(id: string): number {
  return addText(0x811c9dc5, id);
}

/**
 * Hashes a value to a number from 0 to 1 with FNV-1a over the code units, and the finalizer of MurmurHash3, which
 * separates similar values.
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
