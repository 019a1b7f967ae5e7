/** Interface of the `tls` app for other apps. Apps use the token {@link tlsApp} instead of importing each other. */
import type { Socket } from 'node:net';
import type { JsonArray } from '@sluice/base';
import type { TlsSession } from '@sluice/quic';
import { appToken, type AppToken, type Context, type Segment } from '@sluice/registry';
import type { NameSet } from './name-set.ts';
import type { TlsInfo } from './tls-info.ts';

/** Addresses of a connection that will use TLS, without brackets. Empty for a Unix socket. */
export interface TlsPeer {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Callback that receives a connection after its TLS handshake: the decrypted socket and the TLS details. */
export type TlsEstablished = (socket: Socket, tls: TlsInfo) => void;

/** TLS handshake of a QUIC connection. QUIC transports the TLS messages itself (RFC 9001 §4). */
export interface QuicHandshake extends TlsSession {
  /** TLS details. `null` until the handshake is complete or early data is accepted. */
  readonly info: TlsInfo | null;
}

/** Protects early data against replay attacks (RFC 8446 §8, RFC 8470). */
export interface EarlyDataGuard {
  /** Bytes stored in session tickets. Early data is accepted only with a ticket that contains the same bytes. */
  readonly binding: Buffer;
  /** Records the random value of an authenticated ClientHello. Returns false if the value was already recorded or cannot be recorded. */
  admit(random: Buffer): boolean;
}

/** Starts QUIC handshakes that use the connection policies of a server. */
export interface QuicTermination {
  /**
   * Begins a handshake. `parameters` contains the server's encoded transport parameters. If a policy or certificate is unusable, the
   * handshake fails with an alert.
   */
  begin(peer: TlsPeer, parameters: Buffer): QuicHandshake;
}

/** Provisioned connection policies of one server. Only available in traffic threads. */
export interface TlsTermination {
  /**
   * Starts TLS on a socket, whose read buffer may contain data that was put back. Calls `established` once if the handshake succeeds.
   * Otherwise, destroys the socket. This happens if a policy drops the connection, no certificate matches, client authentication fails, or
   * the handshake fails or times out. Never throws.
   */
  accept(socket: Socket, peer: TlsPeer, established: TlsEstablished): void;
  /**
   * Prepares TLS for QUIC connections. Rejects with the reason if this installation does not support QUIC. Also rejects if a policy uses a
   * feature that QUIC does not allow. `guard` enables early data; `null` disables it. Policies that authenticate clients always reject
   * early data.
   */
  quic(guard: EarlyDataGuard | null): Promise<QuicTermination>;
  /** True if a policy requests client certificates. Determines the default of `strict_sni_host`. */
  readonly authenticatesClients: boolean;
  /** True if connections use the OpenSSL bindings. Such connections take less CPU time on sockets without libuv handles. */
  readonly usesBindings: boolean;
}

/** TLS settings of a server: the ALPN protocols to offer unless a policy specifies them, such as `h2` and `http/1.1`. */
export interface TerminationSettings {
  readonly protocols: readonly string[];
}

/** Certificates that an app needs. */
export interface WantedCertificates {
  /** Host names, wildcards, or IP addresses, in lowercase. */
  readonly names: NameSet;
  /** True to manage a certificate even if a loaded certificate (from `load_files` and similar options) covers the name. */
  readonly ignoreLoaded: boolean;
}

/** Responses to `http-01` challenges (RFC 8555 §8.3). A thread has one such object for its entire lifetime. */
export interface HttpChallenges {
  /** True if a challenge may be pending, on this server or on a server that shares the storage. Checked for every request. */
  readonly open: boolean;
  /** Reports whether a path may belong to a challenge. Called for every request while {@link open} is true. */
  covers(path: string): boolean;
  /** Returns the response body for a challenge path, or `null` if there is none. Returns a promise if the storage must be read. */
  response(host: string, path: string): string | null | Promise<string | null>;
}

/** Interface of the `tls` app. The object stays the same when the configuration changes. */
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
  /**
   * Reports whether the configuration that is being prepared or tested loads a certificate for a name. If there is no such configuration,
   * returns the result of {@link isLoaded}.
   */
  willBeLoaded(name: string): boolean;
  /**
   * Loads stored certificates for names that will be managed, so that the first handshake succeeds.
   *
   * Call this method when a configuration starts (`onStart`). It has no effect outside the control thread.
   */
  preload(owner: string, wanted: WantedCertificates): Promise<void>;
  /**
   * Manages certificates for the given names, which replace the owner's previous names. For a derived name set, the cost is proportional to
   * the difference.
   *
   * Call this function when a configuration is committed. It has no effect outside the control thread.
   */
  want(owner: string, wanted: WantedCertificates): void;
  /** Stops managing certificates for all names of the owner, unless the owner has replaced `wanted` in the meantime. */
  unwant(owner: string, wanted: WantedCertificates): void;
}

export const tlsApp: AppToken<TlsApp> = appToken<TlsApp>('tls');
