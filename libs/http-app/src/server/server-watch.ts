/** The service that a server is known to while it serves, so that its requests can be watched. */
import { token, type Token } from '@sluice/registry';
import type { Probe } from '../routing/probe.ts';

/** A server whose requests can be watched. */
export interface WatchedServer {
  readonly name: string;
  /** Runs the chain that a probe watches; `null` ends that. */
  watch(probe: Probe | null): void;
}

/** Decides which servers of its thread are watched, and when. */
export interface ServerWatch {
  /** Called at each commit with a server that is now active. */
  serve(server: WatchedServer): void;
  /** Called when a server retires, maybe after {@link serve} of another one with its name. */
  drop(server: WatchedServer): void;
}

/** The service of the thread; without it no request is recorded. */
export const serverWatchToken: Token<ServerWatch> = token<ServerWatch>('server-watch');
