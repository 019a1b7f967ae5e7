/** Properties of the connection that transports exchanges. */
import type { Duplex } from 'node:stream';
import type { TlsInfo } from '@sluice/contracts';
import type { PaceRule } from './pace-rule.ts';

export type { TlsInfo };

/** Cached beginning of a connection's access log entries, together with the request data from which it was built. */
export interface RequestOpening {
  readonly clientIp: string;
  readonly proto: string;
  readonly method: string;
  readonly host: string;
  readonly text: string;
}

/** Values that are cached for the lifetime of a connection. */
export interface ConnectionNotes {
  /** Beginning of the last access log entry. `null` before the first entry. */
  opening: RequestOpening | null;
  /** Hash from 0 to 1 that determines whether the canary serves this connection. `null` until it is first needed. */
  point: number | null;
}

/** Properties of a connection. All exchanges on the connection share this object. */
export interface ConnectionInfo {
  /** IP address of the peer, without brackets. Empty for a Unix socket. A PROXY protocol header can override this address. */
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
  /** True if the listener is a Unix socket. */
  readonly unix: boolean;
  readonly tls: TlsInfo | null;
  /** Cached values of the connection. Missing for simulated connections. */
  readonly notes?: ConnectionNotes;
  /**
   * Takes over the connection after an upgrade. Returns the raw, paused socket and the bytes that were already read. Call `pipe` or
   * `resume` on the socket. With HTTP/2, returns the WebSocket stream (RFC 8441). Call this method after writing status 101 and before the
   * end of the response; at other times, returns `null`. Also returns `null` if the client has disconnected or closed its sending side.
   */
  upgrade(): { readonly socket: Duplex; readonly head: Buffer } | null;
  /** Overrides the server's stall timeout for the client of the current exchange. Undefined if stall timeouts are not supported. */
  setPace?(of: 'body' | 'response', rule: PaceRule): void;
  /** Closes the connection (HTTP/1.1) or resets the stream (HTTP/2, HTTP/3), without a response. */
  destroy(): void;
}
