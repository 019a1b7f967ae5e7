import type { Load } from './load.ts';
import type { MakeConfig } from './servers.ts';

export interface Asking {
  readonly port: number;
  readonly path: string;
  readonly seconds: number;
  readonly connections: number;
  /** Concurrent requests per connection, if the protocol supports more than one. */
  readonly streams: number;
}

/** A load generator other than wrk over plain connections. */
export interface Way {
  /** The missing tool, or `null` if the generator can run. */
  readonly missing: string | null;
  /** Protocol. `http1` by default. */
  readonly protocol?: 'http1' | 'http2' | 'http3' | 'handshakes';
  readonly isSecure?: true;
  config(routes: readonly unknown[], http?: object): MakeConfig;
  /** Resolves when a listening server can accept requests. */
  ready(port: number): Promise<void>;
  ask(asking: Asking): Promise<Load>;
}
