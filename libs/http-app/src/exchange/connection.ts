/** Facts about the connection that carries exchanges. */
import type { Duplex } from 'node:stream';
import type { TlsInfo } from '@sluice/contracts';
import type { PaceRule } from './pace-rule.ts';

export type { TlsInfo };

/** Cached start of a connection's access log entries, and the request data that it was derived from. */
export interface RequestOpening {
  readonly clientIp: string;
  readonly proto: string;
  readonly method: string;
  readonly host: string;
  readonly text: string;
}

/** Values cached for the lifetime of a connection. */
export interface ConnectionNotes {
  /** Start of the last log entry; `null` before the first entry. */
  opening: RequestOpening | null;
  /** Hash from 0 to 1 that decides whether a canary serves the connection; `null` until needed. */
  point: number | null;
}

/** One connection. All exchanges of the connection share the object. */
export interface ConnectionInfo {
  /** IP address without brackets; empty for a Unix socket. A PROXY header overrides it. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** True for a Unix socket listener. */
  readonly unix: boolean;
  readonly tls: TlsInfo | null;
  /** Absent for simulated connections. */
  readonly notes?: ConnectionNotes;
  /**
   * Takes the connection over after an upgrade. Returns the raw, paused socket (call `pipe` or `resume`) and the bytes already read; with
   * HTTP/2, the WebSocket stream (RFC 8441). Call this method between a head with status 101 and the end of the response. Otherwise, or if
   * the client has ended its side or disconnected, returns `null`.
   */
  upgrade(): { readonly socket: Duplex; readonly head: Buffer } | null;
  /**
   * Overrides the server's limit for how long the client may stall, for the current exchange. Absent if there are no
   * timeouts.
   */
  setPace?(of: 'body' | 'response', rule: PaceRule): void;
  /** Closes the connection (HTTP/1.1) or resets the stream (HTTP/2, HTTP/3) without a response. */
  destroy(): void;
}
