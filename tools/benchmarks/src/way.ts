/** A way to ask a server, and what came of it. */
import type { Load } from './load.ts';
import type { MakeConfig } from './servers.ts';

/** What is asked of a way. */
export interface Asking {
  readonly port: number;
  readonly path: string;
  readonly seconds: number;
  readonly connections: number;
  /** Requests at a time on each connection, where that can be more than one. */
  readonly streams: number;
}

/** How a scenario is asked, where not by wrk over plain connections. */
export interface Way {
  /** What it needs and is not here; `null` if it can be gone. */
  readonly missing: string | null;
  /** What is spoken; `http1` where nothing is said. */
  readonly protocol?: 'http1' | 'http2' | 'handshakes';
  readonly isSecure?: true;
  config(routes: readonly unknown[], http?: object): MakeConfig;
  /** Resolves when a server that listens can be asked. */
  ready(port: number): Promise<void>;
  ask(asking: Asking): Promise<Load>;
}
