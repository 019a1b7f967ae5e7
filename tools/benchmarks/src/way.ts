/** A way to ask a server, and what came of it. */
import type { Load } from './load.ts';
import type { MakeConfig } from './servers.ts';

/** What is asked of a way. */
export interface Asking {
  readonly port: number;
  readonly path: string;
  readonly seconds: number;
  readonly connections: number;
}

/** How a scenario is asked, where not by wrk over plain connections. */
export interface Way {
  /** What it needs and is not here; `null` if it can be gone. */
  readonly missing: string | null;
  config(routes: readonly unknown[], http?: object): MakeConfig;
  /** Resolves when a server that listens can be asked. */
  ready(port: number): Promise<void>;
  ask(asking: Asking): Promise<Load>;
}
