/** The app `tls` as other apps see it. Apps don't import each other: they meet at this token. */
import type { Socket } from 'node:net';
import type { JsonArray } from '@sluice/base';
import type { TlsSession } from '@sluice/quic';
import { appToken, type AppToken, type Context, type Segment } from '@sluice/registry';
import type { NameSet } from './name-set.ts';
import type { TlsInfo } from './tls-info.ts';

/** Addresses of a connection on which TLS begins. Without brackets; empty for a Unix socket. */
export interface TlsPeer {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Takes a connection whose handshake is complete: the socket with what the peer meant, and the facts. */
export type TlsEstablished = (socket: Socket, tls: TlsInfo) => void;

/** A handshake of QUIC, which carries the messages of TLS itself (RFC 9001 §4). */
export interface QuicHandshake extends TlsSession {
  /** Facts of the connection; `null` before the handshake is complete. */
  readonly info: TlsInfo | null;
}

/** Begins handshakes of QUIC by the connection policies of a server. */
export interface QuicTermination {
  /** `parameters`: our transport parameters, encoded. A policy or certificate that cannot be used ends the handshake with an alert. */
  begin(peer: TlsPeer, parameters: Buffer): QuicHandshake;
}

/** Connection policies of one server, ready for connections. Traffic threads only. */
export interface TlsTermination {
  /**
   * Begins TLS on a socket, which may have data that was read and put back. Calls `established` once, or destroys the
   * socket: when a policy drops it, no certificate fits, the client is not authenticated, the handshake fails or takes
   * too long. Never throws.
   */
  accept(socket: Socket, peer: TlsPeer, established: TlsEstablished): void;
  /**
   * The same for QUIC. Rejects, with the reason, where this installation cannot do it, or where a policy asks for something that
   * is not possible there.
   */
  quic(): Promise<QuicTermination>;
  /** Whether a policy asks clients for certificates; decides on the default of `strict_sni_host`. */
  readonly authenticatesClients: boolean;
}

/** What a server offers by ALPN where its policy does not say: `h2`, `http/1.1`. */
export interface TerminationSettings {
  readonly protocols: readonly string[];
}

/** Names for which an app wants certificates to be there. */
export interface WantedCertificates {
  /** Host names, wildcards or IP addresses, in lower case. */
  readonly names: NameSet;
  /** Manage them also where a loaded certificate (`load_files` and the like) is for the name. */
  readonly ignoreLoaded: boolean;
}

/** Responses to http-01 challenges (RFC 8555 §8.3). One object for the life of a thread. */
export interface HttpChallenges {
  /** Whether any challenge may be open, here or at a server that shares the storage. Looked at by every request. */
  readonly open: boolean;
  /** Whether challenges are at such paths. Asked of every request while {@link open} is true. */
  covers(path: string): boolean;
  /** The body of the response to the challenge at a path, or `null` for none; later, where the storage is to be looked at. */
  response(host: string, path: string): string | null | Promise<string | null>;
}

/** What other apps see of the app. The object stays the same when its configuration changes. */
export interface TlsApp {
  readonly httpChallenges: HttpChallenges;
  /** Provisions the connection policies of a server (`tls_connection_policies`), at a place of its configuration. */
  termination(
    policies: JsonArray,
    settings: TerminationSettings,
    context: Context,
    ...at: Segment[]
  ): Promise<TlsTermination>;
  /** Whether a certificate that the configuration brings is for a name, by the name itself or a wildcard. */
  isLoaded(name: string): boolean;
  /** The same for the configuration that is being prepared or tried out, if there is one. */
  willBeLoaded(name: string): boolean;
  /**
   * Loads what the storage has for names that are about to be wanted, so that they are served from the first handshake
   * on. To be called when a configuration starts (`onStart`). Does nothing outside of the control thread.
   */
  preload(owner: string, wanted: WantedCertificates): Promise<void>;
  /**
   * Has certificates obtained and renewed for names, in place of those that this owner wanted before. Names made of those
   * cost the difference. To be called at the commit of a configuration. Does nothing outside of the control thread.
   */
  want(owner: string, wanted: WantedCertificates): void;
  /** The owner wants nothing any more, unless it has come to want something else than this. */
  unwant(owner: string, wanted: WantedCertificates): void;
}

/** The token of the app `tls`. */
export const tlsApp: AppToken<TlsApp> = appToken<TlsApp>('tls');
