/** Interfaces of layer 4 modules: matchers, handlers, and selection policies of the layer 4 proxy. */
import type { Upstream } from '@sluice/http-app';
import { namespace, type Namespace } from '@sluice/registry';
import type { Layer4Connection } from './connection/connection.ts';

/** Result of a matcher; `null` if it needs more bytes. */
export type Verdict = boolean | null;

/** A matcher, which decides whether a route applies to a connection. */
export interface Layer4Matcher {
  /**
   * Inspects `bytes[0..end)`, which contains the unread bytes received so far. The buffer is overwritten after the call. Returns a promise
   * only if the matcher must wait. The first call has no bytes, because some matchers need none.
   */
  match(connection: Layer4Connection, bytes: Buffer, end: number): Verdict | Promise<boolean>;
}

/** Runs the next handler of a route, or the routes after it. */
export type Layer4Next = (connection: Layer4Connection) => void;

/**
 * A layer 4 handler. It either handles a connection itself or passes it on by calling `next` at most once, synchronously or later. If a
 * handler keeps a connection and releases its resources only after the connection closes, it should call {@link Layer4Connection.settle}.
 */
export interface Layer4Handler {
  /** Handles a connection. An exception or a rejected promise closes the connection. */
  handle(connection: Layer4Connection, next: Layer4Next): void | Promise<void>;
}

/** An upstream of a layer 4 proxy. */
export interface WeightedUpstream extends Upstream {
  readonly weight: number;
}

/** A selection policy, which selects an upstream for each connection. */
export interface Layer4Policy {
  /** Returns one of the available upstreams, or `null` if none is available. */
  select<U extends WeightedUpstream>(upstreams: readonly U[], connection: Layer4Connection): U | null;
}

/** Module namespace `layer4.matchers`. Its module names are the keys of matcher sets. */
export const layer4Matchers: Namespace<Layer4Matcher> = namespace<Layer4Matcher>('layer4.matchers');
/** Module namespace `layer4.handlers`; the inline key is `handler`. */
export const layer4Handlers: Namespace<Layer4Handler> = namespace<Layer4Handler>('layer4.handlers');
/** Module namespace `layer4.proxy.selection_policies`; the inline key is `policy`. */
export const layer4Policies: Namespace<Layer4Policy> = namespace<Layer4Policy>('layer4.proxy.selection_policies');
