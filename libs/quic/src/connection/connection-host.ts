/** Interfaces between a QUIC connection, its endpoint, and its user. */
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

/** A QUIC connection, for its endpoint and its user. */
export interface QuicConnection {
  readonly isServer: boolean;
  /** Current address of the peer, which changes if a client migrates. */
  readonly address: PeerAddress;
  readonly complete: boolean;
  /** True if the peer has received all data of bidirectional streams. */
  readonly allSent: boolean;
  /** Number of consecutive probe timeouts without a response from the peer. */
  readonly unanswered: number;
  /** Opens a stream. Returns `null` if the peer's stream limit has been reached. */
  openStream(bidirectional: boolean): QuicStream | null;
  /** Sends a packet that the peer must acknowledge. This prevents the connection from becoming idle. */
  ping(): void;
  /** Closes the connection with an application error code. */
  close(code: number, reason?: string): void;
  /** Discards the connection without notifying the peer. */
  drop(): void;
}

/** Scheduler of QUIC connections: passes datagrams to them, flushes them, and runs their timers. */
export interface ConnectionHost extends IdIssuer {
  readonly output: DatagramOutput;
  readonly ciphers: CipherProvider;
  /** Returns the time of a monotonic clock, in milliseconds. */
  now(): number;
  /** Schedules a call of `flush` at the end of the event loop turn. */
  wake(connection: QuicConnection): void;
  /** Schedules a call of `expire` no later than `deadline`, in milliseconds of {@link now}. */
  watch(connection: QuicConnection, deadline: number): void;
  /** Called after the connection has ended and released its resources. */
  removed(connection: QuicConnection): void;
  /** Returns a token that validates the address for a later connection (RFC 9000 §8.1.3), or `null`. */
  tokenFor(address: PeerAddress): Buffer | null;
}

/** User of a QUIC connection. Exceptions thrown by its methods are passed to its `fault` method. */
export interface ConnectionUser extends Guarded {
  /** Called when streams may be opened and written. On a server, the client is not verified yet. */
  onReady(connection: QuicConnection): void;
  /** Called when the handshake is complete and its parameters are authenticated. */
  onHandshakeComplete(connection: QuicConnection): void;
  /** Called when the peer has opened a stream. The callee must set the stream's user. */
  onStream(stream: QuicStream): void;
  /** Called when the peer raises its stream limit. */
  onStreamLimit(): void;
  /** Called once, as the last callback, when the connection and its streams have ended. */
  onClosed(reason: CloseReason): void;
}

/** Options of a QUIC connection. Times are in milliseconds and sizes in bytes. */
export interface ConnectionOptions extends StreamOptions {
  /** Idle timeout; 0 means no timeout. */
  readonly idleTimeout: number;
}

/** Initial state of a QUIC connection. */
export interface ConnectionStart {
  readonly isServer: boolean;
  readonly version: Version;
  readonly address: PeerAddress;
  /** Destination connection ID of the client's first Initial packet. */
  readonly originalDestination: Buffer;
  /** Connection ID of the peer. On a client, this is the random destination ID at first. */
  readonly peerId: Buffer;
  /** Destination connection ID that a Retry packet requested, or `null`. */
  readonly retrySource: Buffer | null;
  /** True if a token has validated the client's address. */
  readonly validated: boolean;
  readonly tls: (parameters: Buffer) => TlsSession;
  readonly log: ConnectionLog | null;
}
