/** What a connection needs of the endpoint that runs it, and of its user. */
import type { Guarded } from '@sluice/base';
import type { CipherProvider } from '../crypto/protection.ts';
import type { TlsSession } from '../crypto/tls-session.ts';
import type { QuicStream } from '../streams/stream.ts';
import type { PeerAddress } from '../wire/address.ts';
import type { Version } from '../wire/version.ts';
import type { IdIssuer } from './connection-ids.ts';
import type { DatagramOutput } from './datagram-output.ts';
import type { StreamOptions } from './stream-set.ts';

/** A connection, as those see it who run it or use it. */
export interface QuicConnection {
  readonly isServer: boolean;
  /** The address of the peer now; a client may move to another one. */
  readonly address: PeerAddress;
  /** The handshake is complete. */
  readonly complete: boolean;
  /** Whether all that streams of both directions had to send has arrived. */
  readonly allSent: boolean;
  /** Opens a stream; `null` if the peer allows no more for now. */
  openStream(bidirectional: boolean): QuicStream | null;
  /** Ends the connection with a code of the application. */
  close(code: number, reason?: string): void;
  /** Forgets the connection at once, without a word to the peer. */
  drop(): void;
}

/** Runs connections: gives them their datagrams, their turns and their timers. */
export interface ConnectionHost extends IdIssuer {
  readonly output: DatagramOutput;
  readonly ciphers: CipherProvider;
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Has `flush` called at the end of the turn. */
  wake(connection: QuicConnection): void;
  /** Has `expire` called at `deadline`, in the milliseconds of {@link now}, or earlier. */
  watch(connection: QuicConnection, deadline: number): void;
  /** The connection is over and holds nothing any more. */
  removed(connection: QuicConnection): void;
  /** A token that proves the address in a later connection (RFC 9000 §8.1.3); `null` for none. */
  tokenFor(address: PeerAddress): Buffer | null;
}

/** Why a connection is over. */
export interface CloseReason {
  /** A code of the transport, or of the application. */
  readonly code: number;
  readonly application: boolean;
  readonly reason: string;
  /** Who ended it; `timeout` when nothing came any more, `reset` when the peer has lost its state. */
  readonly by: 'local' | 'peer' | 'timeout' | 'reset';
}

/** Uses a connection. What its methods throw goes to its `fault`. */
export interface ConnectionUser extends Guarded {
  /** Streams may be opened and written to. For a server this is before the client has proved anything. */
  onReady(connection: QuicConnection): void;
  /** The handshake is complete, and its parameters are authentic. */
  onHandshakeComplete(connection: QuicConnection): void;
  /** The peer has opened a stream: set its user. */
  onStream(stream: QuicStream): void;
  /** The connection is over, and so are its streams. Called once, and nothing after it. */
  onClosed(reason: CloseReason): void;
}

/** What connections are made with. Times in milliseconds, sizes in bytes. */
export interface ConnectionOptions extends StreamOptions {
  /** The connection ends when nothing came for this long; 0 = no limit. */
  readonly idleTimeout: number;
}

/** A connection that begins. */
export interface ConnectionStart {
  readonly isServer: boolean;
  readonly version: Version;
  readonly address: PeerAddress;
  /** The destination of the first Initial packet of the client. */
  readonly originalDestination: Buffer;
  /** The id of the peer; for a client the destination that it made up. */
  readonly peerId: Buffer;
  /** The destination that a Retry packet asked for; `null` without one. */
  readonly retrySource: Buffer | null;
  /** A token has proved the address of the client. */
  readonly validated: boolean;
  readonly tls: (parameters: Buffer) => TlsSession;
}
