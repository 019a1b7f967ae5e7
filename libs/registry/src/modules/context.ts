/**
 * Context for provisioning a module. Through the context, modules load hosted modules, access values from other modules, and acquire
 * resources. The reconciler implements this interface.
 *
 * Resources are released in reverse order of acquisition. They are released when the configuration no longer contains the module and its
 * last request has completed. If any part of provisioning fails, they are released immediately.
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
  /** True for the control plane: admin API, certificates, health checks, and log files. */
  readonly control: boolean;
  /** True for the data plane, which binds the listeners. */
  readonly traffic: boolean;
}

export type Disposer = () => void | Promise<void>;

/** Function that creates the instance of a list element or structure. It must be defined once in the module, not as a closure. */
export type Provision<N extends Json, T> = (node: N, context: Context<T>) => T | Promise<T>;

/** Result of {@link Context.list}. */
export interface LoadedList<T> {
  readonly items: ChunkedList<T>;
  /** Instances in the list that this list replaces; `null` when the list is first provisioned. */
  readonly previous: ChunkedList<T> | null;
  readonly splice: ArraySplice | null;
}

/** A path segment: an object key or an array index. */
export type Segment = string | number;

/** Argument of a `provision` function that returns a `T`. The context may be used only during provisioning. Modules must not keep it. */
export interface Context<out T = unknown> {
  /** App or section that contains this module, for example `apps/http`. */
  readonly unit: string;
  readonly roles: Roles;
  /** True if the configuration is a canary. It serves a share of the requests alongside the active configuration, which keeps its listeners. */
  readonly isCanary: boolean;
  /** True while the configuration is being built. Hooks registered later have no effect. */
  readonly provisioning: boolean;
  /** Logger named after the module. */
  readonly log: Logger;
  /**
   * Instance that the new instance replaces, or `null`. Modules can reuse its state or build incrementally.
   *
   * The replaced instance serves requests until activation, and continues to do so if provisioning fails. State that its requests use must
   * not be modified.
   */
  readonly previous: T | null;
  /** Configuration of {@link previous}; `undefined` if there is no previous instance. */
  readonly previousConfig: Json | undefined;

  /** Returns the configuration path with the given segments appended: `apps.http.servers.s.routes[3]`. */
  where(...at: Segment[]): string;
  /** Creates an error for the configuration path with the given segments appended. */
  error(message: string, ...at: Segment[]): Error;

  /** Loads a module from an object that contains the module name under the key `nameKey`. */
  loadInline<M>(of: Namespace<M>, node: Json, nameKey: string, ...at: Segment[]): Promise<M>;
  /** Loads a module by name, such as one entry of a module map. */
  loadNamed<M>(of: Namespace<M>, name: string, node: Json, ...at: Segment[]): Promise<M>;
  /** Loads all modules of a module map, in key order. */
  loadMap<M>(of: Namespace<M>, node: JsonObject, ...at: Segment[]): Promise<Map<string, M>>;
  /** Loads a list of modules, each from an object that contains the module name. */
  loadInlineList<M>(of: Namespace<M>, nodes: JsonArray, nameKey: string, ...at: Segment[]): Promise<M[]>;
  /** Provisions a part of the configuration that is not a module. The part is kept if only its siblings change. */
  structure<N extends Json, P>(node: N, provision: Provision<N, P>, ...at: Segment[]): Promise<P>;
  /**
   * Provisions a list of similar parts, such as routes. When one element changes, only that element is provisioned again. The other
   * elements are compared by pointer, so the provisioning cost does not depend on the length of the list.
   */
  list<N extends Json, P>(nodes: JsonArray, provision: Provision<N, P>, ...at: Segment[]): Promise<LoadedList<P>>;

  /** Returns the app for a token, provisioning the app first if necessary. An app that is not configured gets empty options. */
  app<A>(token: AppToken<A>): Promise<A>;
  /** Returns the app for a token, or `null` if the app is not configured. */
  appIfConfigured<A>(token: AppToken<A>): Promise<A | null>;
  /** Like {@link app}, but returns `null` if no package registers the app. */
  appIfRegistered<A>(token: AppToken<A>): Promise<A | null>;

  /** Returns a value that an enclosing module provides, or a service of this thread. Throws if there is none. */
  use<V>(token: Token<V>): V;
  /** Like {@link use}, but returns `undefined` if there is no such value. */
  find<V>(token: Token<V>): V | undefined;
  /** Provides a value to hosted modules. When the value changes, the modules that use it are provisioned again. */
  provide<V>(token: Token<V>, value: V): void;

  /** Acquires a pooled resource, which is retired and released together with this module. */
  acquire<R extends Pooled>(pool: ResourcePool<R>, key: string, create: () => R | Promise<R>): Promise<R>;
  /** Registers a hook that runs after provisioning and before activation. A failure rejects the change. */
  onStart(start: () => void | Promise<void>): void;
  /**
   * Registers a hook that runs when requests can reach the module: on activation, or when a canary starts. The hook must be synchronous. An
   * error is logged and ignored.
   */
  onCommit(commit: () => void): void;
  /**
   * Registers a hook that runs on activation, after all hooks of {@link onCommit}, but not for a canary. Use it to take over resources from
   * the replaced module.
   */
  onTakeOver(takeOver: () => void): void;
  /**
   * Registers a hook that runs when a canary that contains this module starts. The hook returns a function that stops requests from
   * reaching the module.
   */
  onCanary(start: (traffic: CanaryTraffic) => () => void): void;
  /**
   * Registers a hook that is awaited before activation if the configuration drops this module without a replacement. Errors are logged and
   * ignored.
   */
  onLeave(leave: () => Promise<void>): void;
  /** Registers a hook that runs when the configuration drops this module. Requests may still use the module. */
  onRetire(retire: (reason: RetireReason) => void): void;
  /** Registers a hook that runs when nothing uses this module anymore, or if provisioning fails. Hooks run in reverse order of registration. */
  onDispose(dispose: Disposer): void;
}
