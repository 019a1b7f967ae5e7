/** Contracts of the modules of the app: matchers, handlers, and selection policies of its proxy. */
import type { Upstream } from '@sluice/http-app';
import { namespace, type Namespace } from '@sluice/registry';
import type { Layer4Connection } from './connection/connection.ts';

/** Result of a matcher; `null` if more bytes are needed to decide. */
export type Verdict = boolean | null;

/** Decides whether a route is for a connection. */
export interface Layer4Matcher {
  /**
   * Looks at `bytes[0..end)`: what was received so far and is still unread. The bytes are overwritten after the call. A
   * promise is allowed only if the matcher has to wait. First called without bytes, since some matchers need none.
   */
  match(connection: Layer4Connection, bytes: Buffer, end: number): Verdict | Promise<boolean>;
}

/** Runs the next handler of a route, or the routes after it. */
export type Layer4Next = (connection: Layer4Connection) => void;

/**
 * Handles a connection, or passes it on with `next`: at once or later, and at most once. A handler that keeps the
 * connection calls {@link Layer4Connection.settle}, if it releases its own resources only after the connection.
 */
export interface Layer4Handler {
  /** A rejection, or an exception, closes the connection. */
  handle(connection: Layer4Connection, next: Layer4Next): void | Promise<void>;
}

/** An upstream of a layer 4 proxy. */
export interface WeightedUpstream extends Upstream {
  /** At least 1. */
  readonly weight: number;
}

/** Selects upstreams for connections. */
export interface Layer4Policy {
  /** Returns one of the available upstreams; `null` if none is. */
  select<U extends WeightedUpstream>(upstreams: readonly U[], connection: Layer4Connection): U | null;
}

/** `layer4.matchers`: keys of matcher sets. */
export const layer4Matchers: Namespace<Layer4Matcher> = namespace<Layer4Matcher>('layer4.matchers');
/** `layer4.handlers`: inline key `handler`. */
export const layer4Handlers: Namespace<Layer4Handler> = namespace<Layer4Handler>('layer4.handlers');
/** `layer4.proxy.selection_policies`: inline key `policy`. */
export const layer4Policies: Namespace<Layer4Policy> = namespace<Layer4Policy>('layer4.proxy.selection_policies');
