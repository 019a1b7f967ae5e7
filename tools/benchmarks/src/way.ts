import type { Load } from './load.ts';
import type { MakeConfig } from './servers.ts';

export interface Asking {
  readonly port: number;
  readonly path: string;
  readonly seconds: number;
  readonly connections: number;
  /** Concurrent requests per connection. More than 1 only if the protocol supports multiplexing. */
  readonly streams: number;
}

/** A load generator to use instead of the default, which is wrk over plaintext connections. */
export interface Way {
  /** Name of the missing tool, or `null` if the load generator can run. */
  readonly missing: string | null;
  /** Protocol of the load generator. Default: `http1`. */
  readonly protocol?: 'http1' | 'http2' | 'http3' | 'handshakes';
  readonly isSecure?: true;
  config(routes: readonly unknown[], http?: object): MakeConfig;
  /** Resolves when a server that already listens can accept requests. */
  ready(port: number): Promise<void>;
  ask(asking: Asking): Promise<Load>;
}
