/**
 * Contract of the service that observes requests. Servers register when they become active and unregister when they are
 * closed.
 */
import { token, type Token } from '@sluice/registry';
import type { Probe } from '../routing/probe.ts';

/** A server whose requests can be observed. */
export interface WatchedServer {
  readonly name: string;
  /** Observes requests with a probe; `null` ends the observation. */
  watch(probe: Probe | null): void;
}

/** Decides which servers of its thread are observed. */
export interface ServerWatch {
  /** Called with each server that becomes active. */
  serve(server: WatchedServer): void;
  /** Called when a server is removed, possibly after {@link serve} was called with its successor of the same name. */
  drop(server: WatchedServer): void;
}

/** Observes the requests of a thread; absent if no requests are recorded. */
export const serverWatchToken: Token<ServerWatch> = token<ServerWatch>('server-watch');
