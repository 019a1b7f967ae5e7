/** Facts of the connection that carries exchanges. */
import type { Duplex } from 'node:stream';
import type { TlsInfo } from '@sluice/contracts';
import type { PaceRule } from './pace-rule.ts';

export type { TlsInfo };

/** How entries of a connection's requests begin in access logs, and what that was made of beside the connection. */
export interface RequestOpening {
  readonly clientIp: string;
  readonly proto: string;
  readonly method: string;
  readonly host: string;
  readonly text: string;
}

/** What others made of a connection, kept as long as it is: one object for all exchanges, with HTTP/2 too. */
export interface ConnectionNotes {
  /** That of the last entry; `null` before. */
  opening: RequestOpening | null;
}

/** One connection; the same object for all its exchanges. */
export interface ConnectionInfo {
  /** IP address without brackets; empty for a Unix socket. A PROXY header replaces it. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** Whether the listener is a Unix socket. */
  readonly unix: boolean;
  readonly tls: TlsInfo | null;
  /** Absent where a connection is simulated for one exchange. */
  readonly notes?: ConnectionNotes;
  /**
   * Takes the connection over after an upgrade: the raw socket, which is paused (`pipe` or `resume` it), and what was
   * read already; with HTTP/2 the stream of a WebSocket (RFC 8441). After a head with status 101 and before the response
   * has ended; else, and when the client has ended its side or is gone, `null`.
   */
  upgrade(): { readonly socket: Duplex; readonly head: Buffer } | null;
  /**
   * Sets how long the client may stall while it sends the request body, or takes the response, of the current exchange,
   * instead of the rule of the server. Absent where there are no time-outs.
   */
  setPace?(of: 'body' | 'response', rule: PaceRule): void;
  /** Cuts the connection (HTTP/1.1) or resets the stream (HTTP/2) without a response. */
  destroy(): void;
}
