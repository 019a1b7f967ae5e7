/** The `tls` app as seen by other apps. Apps use this token instead of importing each other. */
import type { Socket } from 'node:net';
import type { JsonArray } from '@sluice/base';
import type { TlsSession } from '@sluice/quic';
import { appToken, type AppToken, type Context, type Segment } from '@sluice/registry';
import type { NameSet } from './name-set.ts';
import type { TlsInfo } from './tls-info.ts';

/** Addresses of a connection to be secured, without brackets; empty for a Unix socket. */
export interface TlsPeer {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Receives a connection after its handshake: the decrypted socket and the TLS details. */
export type TlsEstablished = (socket: Socket, tls: TlsInfo) => void;

/** A QUIC handshake. QUIC carries the TLS messages itself (RFC 9001 §4). */
export interface QuicHandshake extends TlsSession {
  /** TLS details; `null` until the handshake is complete or early data was accepted. */
  readonly info: TlsInfo | null;
}

/** Protects against replays of early data (RFC 8446 §8, RFC 8470). */
export interface EarlyDataGuard {
  /** Stored in session tickets. Early data is accepted only with a ticket that contains the same bytes. */
  readonly binding: Buffer;
  /** Records the random value of an authenticated ClientHello. Returns false if it was recorded before, or cannot be recorded. */
  admit(random: Buffer): boolean;
}

/** Starts QUIC handshakes with the connection policies of a server. */
export interface QuicTermination {
  /**
   * `parameters`: our encoded transport parameters. If a policy or certificate cannot be used, the handshake fails with
   * an alert.
   */
  begin(peer: TlsPeer, parameters: Buffer): QuicHandshake;
}

/** Provisioned connection policies of one server. Traffic threads only. */
export interface TlsTermination {
  /**
   * Starts TLS on a socket, which may contain unshifted data. Calls `established` once, or destroys the socket if a policy drops the
   * connection, no certificate matches, client authentication fails, or the handshake fails or times out. Never throws.
   */
  accept(socket: Socket, peer: TlsPeer, established: TlsEstablished): void;
  /**
   * Like {@link accept}, for QUIC. Rejects with the reason if this installation does not support QUIC, or a policy requires a feature that
   * QUIC does not allow. `guard`: accept early data; `null` = never. Policies that authenticate clients reject early data.
   */
  quic(guard: EarlyDataGuard | null): Promise<QuicTermination>;
  /** True if a policy requests client certificates; determines the default of `strict_sni_host`. */
  readonly authenticatesClients: boolean;
}

/** ALPN protocols to offer unless the policy specifies them: `h2`, `http/1.1`. */
export interface TerminationSettings {
  readonly protocols: readonly string[];
}

/** Names for which an app needs certificates. */
export interface WantedCertificates {
  /** Host names, wildcards or IP addresses, in lower case. */
  readonly names: NameSet;
  /** Manages certificates even if a loaded certificate (`load_files` and similar) covers the name. */
  readonly ignoreLoaded: boolean;
}

/** Responses to http-01 challenges (RFC 8555 §8.3). One object for the lifetime of a thread. */
export interface HttpChallenges {
  /** True if a challenge may be pending, on this server or on a server that shares the storage. Checked for every request. */
  readonly open: boolean;
  /** Reports whether a path can belong to a challenge. Called for every request while {@link open} is true. */
  covers(path: string): boolean;
  /** Returns the response body for a challenge path, or `null`. Asynchronous if the storage must be read. */
  response(host: string, path: string): string | null | Promise<string | null>;
}

/** Interface of the app. The object stays the same when the configuration changes. */
export interface TlsApp {
  readonly httpChallenges: HttpChallenges;
  /** Provisions the connection policies of a server (`tls_connection_policies`). */
  termination(
    policies: JsonArray,
    settings: TerminationSettings,
    context: Context,
    ...at: Segment[]
  ): Promise<TlsTermination>;
  /** Reports whether the configuration loads a certificate that covers a name, directly or with a wildcard. */
  isLoaded(name: string): boolean;
  /** Like {@link isLoaded}, for the configuration being prepared or tested, if any. */
  willBeLoaded(name: string): boolean;
  /**
   * Loads stored certificates for names that will be managed, so that the first handshake succeeds.
   *
   * Call this method when a configuration starts (`onStart`). No effect outside the control thread.
   */
  preload(owner: string, wanted: WantedCertificates): Promise<void>;
  /**
   * Manages certificates for names, replacing the owner's previous names. A derived name set costs only the difference.
   *
   * Call this function when a configuration is committed. No effect outside the control thread.
   */
  want(owner: string, wanted: WantedCertificates): void;
  /** Releases all names of the owner, unless the owner has replaced `wanted` meanwhile. */
  unwant(owner: string, wanted: WantedCertificates): void;
}

export const tlsApp: AppToken<TlsApp> = appToken<TlsApp>('tls');
