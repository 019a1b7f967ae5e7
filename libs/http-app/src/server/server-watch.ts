/** Interface of the service that observes requests. Servers register when they become active and unregister when they close. */
import { token, type Token } from '@sluice/registry';
import type { Probe } from '../routing/probe.ts';

/** A server whose requests can be observed. */
export interface WatchedServer {
  readonly name: string;
  /** Starts observing requests with a probe. `null` stops the observation. */
  watch(probe: Probe | null): void;
}

/** Selects the servers of a thread to observe. */
export interface ServerWatch {
  /** Called for each server that becomes active. */
  serve(server: WatchedServer): void;
  /** Called when a server is removed. By then, {@link serve} may already have been called for the next server with the same name. */
  drop(server: WatchedServer): void;
}

/** Service that observes the requests of a thread; absent if no requests are recorded. */
export const serverWatchToken: Token<ServerWatch> = token<ServerWatch>('server-watch');
