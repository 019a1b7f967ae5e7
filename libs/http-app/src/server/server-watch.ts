/** Contract of the service that observes requests. Servers register at commit and unregister when they end. */
import { token, type Token } from '@sluice/registry';
import type { Probe } from '../routing/probe.ts';

/** A server whose requests can be observed. */
export interface WatchedServer {
  readonly name: string;
  /** Runs requests through a handler chain that the probe observes; `null` restores the plain chain. */
  watch(probe: Probe | null): void;
}

/** Decides which servers of its thread are observed, and for how long. */
export interface ServerWatch {
  /** Called at each commit with a server that is now active. */
  serve(server: WatchedServer): void;
  /** Called when a server retires, possibly after {@link serve} was called with its successor of the same name. */
  drop(server: WatchedServer): void;
}

/** Service of a thread; without it, no request is recorded. */
export const serverWatchToken: Token<ServerWatch> = token<ServerWatch>('server-watch');
