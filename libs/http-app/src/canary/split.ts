/** Decides which of two servers handles a request while a canary runs. */
import { encodeBytes } from '@sluice/base';
import type { CanaryKey, CanaryTraffic } from '@sluice/registry';
import type { RequestHead } from '@sluice/http1';
import type { SocketFacts } from '../engine/facts.ts';
import type { ServerHandle } from '../engine/server-handle.ts';
import { cookieOf } from '../placeholders/cookie.ts';
import { xxhash64, type Hash64 } from '../proxy/selection/xxhash64.ts';

/** A request whose head has been read. */
export type SplitRequest = Pick<RequestHead, 'headers'>;

/** Clients at or above a share of this value never reach the canary. */
const never = 1;

export class CanarySplit {
  readonly server: ServerHandle;
  readonly #traffic: CanaryTraffic;
  readonly #point: (serving: ServerHandle, request: SplitRequest, facts: SocketFacts) => number;

  constructor(server: ServerHandle, traffic: CanaryTraffic) {
    this.server = server;
    this.#traffic = traffic;
    this.#point = pointOf(traffic.key, traffic.id);
  }

  /** Returns the canary's server for its share of the clients, otherwise `serving`. */
  choose(serving: ServerHandle, request: SplitRequest, facts: SocketFacts): ServerHandle {
    return this.#point(serving, request, facts) < this.#traffic.share ? this.server : serving;
  }
}

/**
 * Returns the function that places a request at a point from 0 to 1. A share includes all points below it, so that a larger share includes
 * the clients of a smaller one.
 */
function pointOf(
  key: CanaryKey,
  id: string,
): (serving: ServerHandle, request: SplitRequest, facts: SocketFacts) => number {
  switch (key.of) {
    case 'connection':
      return (_serving, _request, { notes }) => (notes.point ??= nextPoint());
    case 'address':
      return (serving, { headers }, connection) => hashPoint(id, serving.clientIp({ headers, connection }));
    case 'cookie': {
      const { name } = key;
      return (_serving, { headers }) => namedPoint(id, cookieOf(headers, name));
    }
    case 'header': {
      const name = key.name.toLowerCase();
      return (_serving, { headers }) => namedPoint(id, headers.joined(name));
    }
  }
}

/** Multiples of the golden ratio are spread evenly, so that even few connections are split by the share. */
const goldenRatio = 0.618_033_988_749_895;
let point = Math.random();

function nextPoint(): number {
  point = (point + goldenRatio) % 1;
  return point;
}

/** Requests without the cookie or header stay on the serving configuration, since their client may later be assigned either. */
function namedPoint(id: string, value: string | undefined): number {
  return value === undefined || value === '' ? never : hashPoint(id, value);
}

const hash: Hash64 = { high: 0, low: 0 };

/** The ID of the rollout makes each rollout begin with other clients. */
function hashPoint(id: string, value: string): number {
  const bytes = encodeBytes(`${id}\0${value}`);
  xxhash64(bytes, bytes.length, hash);
  return (hash.high >>> 0) / 2 ** 32;
}
