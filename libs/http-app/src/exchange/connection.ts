/** Facts about the connection that carries exchanges. */
import type { Duplex } from 'node:stream';
import type { TlsInfo } from '@sluice/contracts';
import type { PaceRule } from './pace-rule.ts';

export type { TlsInfo };

/** Start of a connection's access log entries, and the request data it was built from. */
export interface RequestOpening {
  readonly clientIp: string;
  readonly proto: string;
  readonly method: string;
  readonly host: string;
  readonly text: string;
}

/** Cached values of a connection, kept as long as it exists: one object for all its exchanges, also with HTTP/2. */
export interface ConnectionNotes {
  /** Opening of the last entry; `null` before the first. */
  opening: RequestOpening | null;
}

/** One connection; all its exchanges share the object. */
export interface ConnectionInfo {
  /** IP address without brackets; empty for a Unix socket. A PROXY header replaces it. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** True for a Unix socket listener. */
  readonly unix: boolean;
  readonly tls: TlsInfo | null;
  /** Absent if a connection is simulated for one exchange. */
  readonly notes?: ConnectionNotes;
  /**
   * Takes the connection over after an upgrade. Returns the raw, paused socket (`pipe` or `resume` it) and the bytes already read; with
   * HTTP/2, the stream of a WebSocket (RFC 8441). Call it between a head with status 101 and the end of the response. Otherwise, and if the
   * client has ended its side or is gone, returns `null`.
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
