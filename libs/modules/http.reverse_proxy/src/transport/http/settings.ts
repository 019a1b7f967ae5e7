/** Resolved transport options. Transports with equal settings share connections. */
import type { DialAddress, TlsSettings } from '@sluice/http-app';
import type { LookupHost } from '../../common/resolver.ts';

/** A forward proxy between us and the upstream. */
export interface ForwardProxy {
  readonly scheme: 'http' | 'https' | 'socks5' | 'socks5h';
  readonly address: DialAddress;
  /** `user:password`, decoded; empty for none. */
  readonly credentials: string;
}

/** Settings of a connection pool. Times in milliseconds; 0 for none. */
export interface ClientSettings {
  /** True to reuse connections. */
  readonly keepAlive: boolean;
  readonly probeInterval: number;
  /** Maximum idle connections across all addresses; 0 means no limit. */
  readonly maxIdle: number;
  readonly maxIdlePerAddress: number;
  readonly idleTimeout: number;
  /** Maximum connections per address; 0 means no limit. */
  readonly maxConnections: number;
  readonly compression: boolean;
  readonly dialTimeout: number;
  readonly fallbackDelay: number;
  readonly responseHeaderTimeout: number;
  readonly expectContinueTimeout: number;
  readonly readTimeout: number;
  readonly writeTimeout: number;
  /** Maximum size of a response head, in bytes. */
  readonly maxHeaderBytes: number;
  readonly localAddress: string;
  readonly lookup: LookupHost | null;
  /** PROXY protocol version; 0 means none. */
  readonly proxyProtocol: 0 | 1 | 2;
  readonly tls: TlsSettings | null;
  /** HTTP/1.1 is allowed. */
  readonly http1: boolean;
  /** HTTP/2 over TLS is allowed. */
  readonly http2: boolean;
  /** Use HTTP/2 without TLS. */
  readonly h2c: boolean;
  /** Use HTTP/3. Excludes the other versions. */
  readonly http3: boolean;
  readonly forwardProxy: ForwardProxy | null;
}
