/**
 * How a datagram of QUIC finds the thread that has its connection: the connection id begins with the number of the thread and the tag of
 * the process. Threads of a process pass datagrams by broadcast channels; a process passes them to the one before it, which has
 * connections still, through a pair of sockets that was handed over.
 */
import type { SocketDescriptors } from '@sluice/base';
import { token, type Token } from '@sluice/registry';

const prefix = 'udp-route ';

/** Where a thread of an earlier process takes datagrams. */
export interface InheritedRoute {
  readonly tag: number;
  readonly thread: number;
  /** Used by all threads of this process, and never closed. */
  readonly descriptor: number;
}

/** The same in all threads of a process. */
export interface DatagramRoutes {
  /** 0 to 255; differs from that of earlier processes that may have connections. */
  readonly tag: number;
  /** 32 bytes that tokens and stateless resets are made with. */
  readonly secret: Uint8Array;
  readonly inherited: readonly InheritedRoute[];
}

/** The service with the routes of the process. */
export const datagramRoutesToken: Token<DatagramRoutes> = token<DatagramRoutes>('datagram_routes');

/** The key of a route among the sockets that a process hands over. */
export function routeKey(tag: number, thread: number): string {
  return `${prefix}${tag} ${thread}`;
}

/** Whether a key is one of {@link routeKey}. */
export function isRouteKey(key: string): boolean {
  return key.startsWith(prefix);
}

/** The routes of a process. `handed`: what was handed over to it. `secret`: 32 random bytes. */
export function datagramRoutes(handed: SocketDescriptors, secret: Uint8Array): DatagramRoutes {
  const inherited = handed
    .filter(([key]) => isRouteKey(key))
    .map(([key, descriptor]) => {
      const [tag = 0, thread = 0] = key.slice(prefix.length).split(' ').map(Number);
      return { tag, thread, descriptor };
    });
  const used = new Set(inherited.map(({ tag }) => tag));
  // Those that came before the process before are gone before 255 upgrades later.
  let tag = (Math.max(-1, ...(inherited.length > 0 ? [(inherited.at(-1) as InheritedRoute).tag] : [])) + 1) & 0xff;
  while (used.has(tag)) tag = (tag + 1) & 0xff;
  return { tag, secret, inherited };
}
