/** The options of the transport, resolved once. Transports with equal settings share their connections. */
import type { DialAddress, TlsSettings } from '@sluice/http-app';
import type { LookupHost } from '../../common/resolver.ts';

/** A proxy between us and the upstream. */
export interface ForwardProxy {
  readonly scheme: 'http' | 'https' | 'socks5' | 'socks5h';
  readonly address: DialAddress;
  /** `user:password`, decoded; empty for none. */
  readonly credentials: string;
}

/** Settings of a pool of connections. Times in milliseconds, 0 for none. */
export interface ClientSettings {
  /** Keep connections for further requests. */
  readonly keepAlive: boolean;
  readonly probeInterval: number;
  /** Idle connections of all addresses together; 0: any number. */
  readonly maxIdle: number;
  readonly maxIdlePerAddress: number;
  readonly idleTimeout: number;
  /** Connections per address; 0: any number. */
  readonly maxConnections: number;
  readonly compression: boolean;
  readonly dialTimeout: number;
  readonly fallbackDelay: number;
  readonly responseHeaderTimeout: number;
  readonly expectContinueTimeout: number;
  readonly readTimeout: number;
  readonly writeTimeout: number;
  /** Bytes of the head of a response. */
  readonly maxHeaderBytes: number;
  readonly localAddress: string;
  readonly lookup: LookupHost | null;
  /** Version of the PROXY protocol, 0 for none. */
  readonly proxyProtocol: 0 | 1 | 2;
  readonly tls: TlsSettings | null;
  /** HTTP/1.1 may be spoken. */
  readonly http1: boolean;
  /** HTTP/2 may be spoken, on TLS. */
  readonly http2: boolean;
  /** HTTP/2 is spoken without TLS. */
  readonly h2c: boolean;
  readonly forwardProxy: ForwardProxy | null;
}
