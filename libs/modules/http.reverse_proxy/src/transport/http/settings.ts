/** Resolved options of the HTTP transport. Transports with equal settings share connections. */
import type { DialAddress, TlsSettings } from '@sluice/http-app';
import type { LookupHost } from '../../common/resolver.ts';

/** Forward proxy through which upstreams are reached. */
export interface ForwardProxy {
  readonly scheme: 'http' | 'https' | 'socks5' | 'socks5h';
  readonly address: DialAddress;
  /** Decoded credentials, `user:password`. Empty if there are none. */
  readonly credentials: string;
}

/** Settings of a connection pool. Times are in milliseconds; 0 = no timeout. */
export interface ClientSettings {
  /** True if connections are reused for several requests. */
  readonly keepAlive: boolean;
  readonly probeInterval: number;
  /** Maximum number of idle connections to all addresses. 0 means no limit. */
  readonly maxIdle: number;
  readonly maxIdlePerAddress: number;
  readonly idleTimeout: number;
  /** Maximum number of connections per address. 0 means no limit. */
  readonly maxConnections: number;
  readonly compression: boolean;
  readonly dialTimeout: number;
  readonly fallbackDelay: number;
  readonly responseHeaderTimeout: number;
  readonly expectContinueTimeout: number;
  readonly readTimeout: number;
  readonly writeTimeout: number;
  /** Maximum size of an upstream's response head, in bytes. */
  readonly maxHeaderBytes: number;
  readonly localAddress: string;
  readonly lookup: LookupHost | null;
  /** Version of the PROXY header to send, or 0 to send none. */
  readonly proxyProtocol: 0 | 1 | 2;
  readonly tls: TlsSettings | null;
  /** HTTP/1.1 is allowed. */
  readonly http1: boolean;
  /** True if HTTP/2 over TLS is permitted. */
  readonly http2: boolean;
  /** True to use HTTP/2 without TLS. */
  readonly h2c: boolean;
  /** True to use HTTP/3, which excludes all other versions. */
  readonly http3: boolean;
  readonly forwardProxy: ForwardProxy | null;
}
