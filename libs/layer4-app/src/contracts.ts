/** Contracts of the app's modules: matchers, handlers, and selection policies of the layer 4 proxy. */
import type { Upstream } from '@sluice/http-app';
import { namespace, type Namespace } from '@sluice/registry';
import type { Layer4Connection } from './connection/connection.ts';

/** Result of a matcher; `null` if more bytes are needed to decide. */
export type Verdict = boolean | null;

/** Decides whether a route is for a connection. */
export interface Layer4Matcher {
  /**
   * Inspects `bytes[0..end)`, the unread bytes received so far. The bytes are overwritten after the call. Return a promise only if the
   * matcher must wait. The first call has no bytes, because some matchers need none.
   */
  match(connection: Layer4Connection, bytes: Buffer, end: number): Verdict | Promise<boolean>;
}

/** Runs the next handler of a route, or the routes after it. */
export type Layer4Next = (connection: Layer4Connection) => void;

/**
 * Handles a connection, or passes the connection on by calling `next`, immediately or later, but at most once. A handler that keeps the
 * connection and releases its own resources only after the connection calls {@link Layer4Connection.settle}.
 */
export interface Layer4Handler {
  /** A rejection, or an exception, closes the connection. */
  handle(connection: Layer4Connection, next: Layer4Next): void | Promise<void>;
}

/** An upstream of a layer 4 proxy. */
export interface WeightedUpstream extends Upstream {
  readonly weight: number;
}

/** Selects upstreams for connections. */
export interface Layer4Policy {
  /** Returns one of the available upstreams; `null` if none is available. */
  select<U extends WeightedUpstream>(upstreams: readonly U[], connection: Layer4Connection): U | null;
}

/** `layer4.matchers`: keys of matcher sets. */
export const layer4Matchers: Namespace<Layer4Matcher> = namespace<Layer4Matcher>('layer4.matchers');
/** `layer4.handlers`: inline key `handler`. */
export const layer4Handlers: Namespace<Layer4Handler> = namespace<Layer4Handler>('layer4.handlers');
/** `layer4.proxy.selection_policies`: inline key `policy`. */
export const layer4Policies: Namespace<Layer4Policy> = namespace<Layer4Policy>('layer4.proxy.selection_policies');
