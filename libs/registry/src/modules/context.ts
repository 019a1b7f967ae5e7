/**
 * Context of a provision. Through the context, modules load hosted modules, access values of other modules, and acquire resources. The
 * reconciler implements this interface.
 *
 * Resources are released in reverse order of acquisition: when the configuration drops the module and the module's last request has
 * completed, or immediately if a part of the provision fails.
 *
 * @example
 * async provision(config, context) {
 *   const socket = await context.acquire(sockets, config.address, () => open(config.address));
 *   const handlers = await context.loadInlineList(httpHandlers, config.handle, 'handler', 'handle');
 *   return new Example(socket, handlers);
 * }
 */
import type { ArraySplice, ChunkedList, Json, JsonArray, JsonObject, Logger } from '@sluice/base';
import type { CanaryTraffic, RetireReason } from './canary.ts';
import type { AppToken, Namespace, Token } from './namespace.ts';
import type { Pooled, ResourcePool } from './resource-pool.ts';

/** Roles of a thread. With `--workers 0`, one thread has both roles. */
export interface Roles {
  /** Control plane: admin API, certificates, health checks, log files. */
  readonly control: boolean;
  /** Data plane: listeners are bound here. */
  readonly traffic: boolean;
}

export type Disposer = () => void | Promise<void>;

/** Creates the instance of a list element or structure. Pass a function defined once in the module, not a closure. */
export type Provision<N extends Json, T> = (node: N, context: Context<T>) => T | Promise<T>;

/** Result of {@link Context.list}. */
export interface LoadedList<T> {
  readonly items: ChunkedList<T>;
  /** Instances of the list that this one replaces; `null` in the first provision. */
  readonly previous: ChunkedList<T> | null;
  readonly splice: ArraySplice | null;
}

/** A path segment: an object key or an array index. */
export type Segment = string | number;

/** Argument of `provision`, which returns a `T`. Use the context only during provisioning, and don't keep it. */
export interface Context<out T = unknown> {
  /** The top-level part of the configuration that contains this module, for example `apps/http`. */
  readonly unit: string;
  /** Roles of this thread. */
  readonly roles: Roles;
  /** True if the configuration will serve a share of the requests beside the active one, which keeps its listeners. */
  readonly isCanary: boolean;
  /** True while the configuration is being built. Hooks registered later have no effect. */
  readonly provisioning: boolean;
  /** A logger named after the module. */
  readonly log: Logger;
  /**
   * The replaced instance, or `null`, for reusing its state or building incrementally.
   *
   * The replaced instance serves requests until the swap, and continues if this provision fails. Don't modify state that its requests can
   * see.
   */
  readonly previous: T | null;
  /** Configuration of {@link previous}; `undefined` without a previous instance. */
  readonly previousConfig: Json | undefined;

  /** Returns the configuration path, extended by the given segments: `apps.http.servers.s.routes[3]`. */
  where(...at: Segment[]): string;
  /** Creates an error at this configuration path, extended by the given segments. */
  error(message: string, ...at: Segment[]): Error;

  /** Loads a module named in its own object, at `nameKey`. */
  loadInline<M>(of: Namespace<M>, node: Json, nameKey: string, ...at: Segment[]): Promise<M>;
  /** Loads a module by name, such as one entry of a module map. */
  loadNamed<M>(of: Namespace<M>, name: string, node: Json, ...at: Segment[]): Promise<M>;
  /** Loads all modules of a module map, in key order. */
  loadMap<M>(of: Namespace<M>, node: JsonObject, ...at: Segment[]): Promise<Map<string, M>>;
  /** Loads a list of modules whose names are in their own objects. */
  loadInlineList<M>(of: Namespace<M>, nodes: JsonArray, nameKey: string, ...at: Segment[]): Promise<M[]>;
  /** Provisions a part of the configuration that is not a module but can be kept when only its siblings change. */
  structure<N extends Json, P>(node: N, provision: Provision<N, P>, ...at: Segment[]): Promise<P>;
  /**
   * Provisions a list of similar parts, such as routes. A change to one element costs that element and a comparison of
   * pointers, regardless of the list's length.
   */
  list<N extends Json, P>(nodes: JsonArray, provision: Provision<N, P>, ...at: Segment[]): Promise<LoadedList<P>>;

  /** Returns the app of a token, provisioning the app first if necessary. An app that is not configured gets empty options. */
  app<A>(token: AppToken<A>): Promise<A>;
  /** Returns the app of a token, or `null` if the app is not configured. */
  appIfConfigured<A>(token: AppToken<A>): Promise<A | null>;
  /** Returns an app like {@link app}, but `null` if no package registers the app. */
  appIfRegistered<A>(token: AppToken<A>): Promise<A | null>;

  /** Returns a value that an enclosing module provides, or a service of this thread. Throws if neither exists. */
  use<V>(token: Token<V>): V;
  /** Returns a value like {@link use}, but `undefined` if the value does not exist. */
  find<V>(token: Token<V>): V | undefined;
  /** Provides a value for hosted modules. Modules that use the value are provisioned again when it changes. */
  provide<V>(token: Token<V>, value: V): void;

  /** Acquires a pooled resource, which is retired and released with this module. */
  acquire<R extends Pooled>(pool: ResourcePool<R>, key: string, create: () => R | Promise<R>): Promise<R>;
  /** Runs after provisioning, before the swap. A failure rolls back the change. */
  onStart(start: () => void | Promise<void>): void;
  /** Runs when requests can reach the module: at the swap, or when a canary starts. Must be synchronous; an error is logged and ignored. */
  onCommit(commit: () => void): void;
  /** Runs at the swap, after all hooks of {@link onCommit}, but not for a canary: for taking over what the replaced module owns. */
  onTakeOver(takeOver: () => void): void;
  /** Runs when a canary with this module starts. Returns a function that stops requests from reaching the module. */
  onCanary(start: (traffic: CanaryTraffic) => () => void): void;
  /** Awaited before the swap if the configuration drops this module without a replacement. Errors are logged and ignored. */
  onLeave(leave: () => Promise<void>): void;
  /** Runs when the configuration drops this module. Requests may still use it. */
  onRetire(retire: (reason: RetireReason) => void): void;
  /**
   * Runs when nothing uses this module any longer, or if its provision fails. Runs in reverse order of registration.
   */
  onDispose(dispose: Disposer): void;
}
