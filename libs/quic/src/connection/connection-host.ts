/** Interfaces between a connection, its endpoint and its user. */
import type { Guarded } from '@sluice/base';
import type { CipherProvider } from '../crypto/protection.ts';
import type { TlsSession } from '../crypto/tls-session.ts';
import type { QuicStream } from '../streams/stream.ts';
import type { PeerAddress } from '../wire/address.ts';
import type { Version } from '../wire/version.ts';
import type { CloseReason } from './close-reason.ts';
import type { IdIssuer } from './connection-ids.ts';
import type { ConnectionLog } from './connection-log.ts';
import type { DatagramOutput } from './datagram-output.ts';
import type { StreamOptions } from './stream-set.ts';

/** Connection interface for the endpoint and the user. */
export interface QuicConnection {
  readonly isServer: boolean;
  /** Current address of the peer. A client may migrate. */
  readonly address: PeerAddress;
  readonly complete: boolean;
  /** True if all data of bidirectional streams was delivered. */
  readonly allSent: boolean;
  /** Number of consecutive timeouts without a response of the peer. */
  readonly unanswered: number;
  /** Opens a stream. Returns `null` if the stream limit of the peer is reached. */
  openStream(bidirectional: boolean): QuicStream | null;
  /** Sends a packet that the peer must acknowledge, which keeps the connection from becoming idle. */
  ping(): void;
  /** Closes the connection with an application error code. */
  close(code: number, reason?: string): void;
  /** Discards the connection without notifying the peer. */
  drop(): void;
}

/** Schedules connections: passes datagrams to them, and runs their flushes and timers. */
export interface ConnectionHost extends IdIssuer {
  readonly output: DatagramOutput;
  readonly ciphers: CipherProvider;
  /** Returns the time of a monotonic clock, in milliseconds. */
  now(): number;
  /** Requests a `flush` call at the end of the event loop turn. */
  wake(connection: QuicConnection): void;
  /** Requests a call of `expire` at `deadline`, in milliseconds of {@link now}, or earlier. */
  watch(connection: QuicConnection, deadline: number): void;
  /** Called when the connection has ended and released its resources. */
  removed(connection: QuicConnection): void;
  /** Returns a token that validates the address for a later connection (RFC 9000 §8.1.3), or `null`. */
  tokenFor(address: PeerAddress): Buffer | null;
}

/** User of a connection. The `fault` method receives exceptions of other methods. */
export interface ConnectionUser extends Guarded {
  /** Called when streams may be opened and written. On a server, the client is not verified yet. */
  onReady(connection: QuicConnection): void;
  /** Called when the handshake is complete and its parameters are authenticated. */
  onHandshakeComplete(connection: QuicConnection): void;
  /** Called when the peer has opened a stream. Must set the stream's user. */
  onStream(stream: QuicStream): void;
  /** Called when the peer allows more streams than before. */
  onStreamLimit(): void;
  /** Called once when the connection and its streams have ended, as the last callback. */
  onClosed(reason: CloseReason): void;
}

/** Options of a connection. Times in milliseconds, sizes in bytes. */
export interface ConnectionOptions extends StreamOptions {
  /** Idle timeout; 0 means no limit. */
  readonly idleTimeout: number;
}

/** Initial state of a connection. */
export interface ConnectionStart {
  readonly isServer: boolean;
  readonly version: Version;
  readonly address: PeerAddress;
  /** Destination ID of the client's first Initial packet. */
  readonly originalDestination: Buffer;
  /** Connection ID of the peer. On a client, this is initially the random destination ID. */
  readonly peerId: Buffer;
  /** Destination ID requested by a Retry packet, or `null`. */
  readonly retrySource: Buffer | null;
  /** True if a token validated the client address. */
  readonly validated: boolean;
  readonly tls: (parameters: Buffer) => TlsSession;
  readonly log: ConnectionLog | null;
}
