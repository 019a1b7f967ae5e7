/**
 * Routes QUIC datagrams to the thread that owns the connection. The connection ID begins with the thread number and the process tag. The
 * threads of a process exchange datagrams over broadcast channels. For connections of the previous process, a process relays datagrams
 * through an inherited socket pair.
 */
import type { SocketDescriptors } from '@sluice/base';
import { token, type Token } from '@sluice/registry';

const prefix = 'udp-route ';

/** Route to a thread of a previous process. */
export interface InheritedRoute {
  readonly tag: number;
  readonly thread: number;
  /** File descriptor of the socket. All threads of this process use it and never close it. */
  readonly descriptor: number;
}

/** Datagram routes of a process. They are the same in all its threads. */
export interface DatagramRoutes {
  /** Process tag, from 0 to 255. Differs from the tags of previous processes that may still have connections. */
  readonly tag: number;
  /** Secret of 32 bytes, which is used to create tokens and stateless resets. */
  readonly secret: Uint8Array;
  readonly inherited: readonly InheritedRoute[];
}

/** Service that provides the datagram routes of the process. */
export const datagramRoutesToken: Token<DatagramRoutes> = token<DatagramRoutes>('datagram_routes');

/** Returns the key under which a process hands over a route's socket. */
export function routeKey(tag: number, thread: number): string {
  return `${prefix}${tag} ${thread}`;
}

export function isRouteKey(key: string): boolean {
  return key.startsWith(prefix);
}

/** Creates the datagram routes of a process. `handed` contains the inherited sockets, and `secret` consists of 32 random bytes. */
export function datagramRoutes(handed: SocketDescriptors, secret: Uint8Array): DatagramRoutes {
  const inherited = handed
    .filter(([key]) => isRouteKey(key))
    .map(([key, descriptor]) => {
      const [tag = 0, thread = 0] = key.slice(prefix.length).split(' ').map(Number);
      return { tag, thread, descriptor };
    });
  const used = new Set(inherited.map(({ tag }) => tag));
  // The tag wraps around after 255 upgrades. By then, the process that previously used the tag has long exited.
  let tag = (Math.max(-1, ...(inherited.length > 0 ? [(inherited.at(-1) as InheritedRoute).tag] : [])) + 1) & 0xff;
  while (used.has(tag)) tag = (tag + 1) & 0xff;
  return { tag, secret, inherited };
}
