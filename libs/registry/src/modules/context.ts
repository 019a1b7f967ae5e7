/**
 * The context of a provision, as a module sees it: how a module loads the modules that it hosts, asks for what others
 * provide, and acquires resources. The reconciler implements it.
 *
 * Whatever is acquired through it is released in reverse order: when the configuration drops the module and its last
 * request is done, or at once when a part of the provision fails.
 *
 * @example
 * async provision(config, context) {
 *   const socket = await context.acquire(sockets, config.address, () => open(config.address));
 *   const handlers = await context.loadInlineList(httpHandlers, config.handle, 'handler', 'handle');
 *   return new Example(socket, handlers);
 * }
 */
import type { ArraySplice, ChunkedList, Json, JsonArray, JsonObject, Logger } from '@sluice/base';
import type { AppToken, Namespace, Token } from './namespace.ts';
import type { Pooled, ResourcePool } from './resource-pool.ts';

/** What a thread does with a configuration. With `--workers 0` one thread does both. */
export interface Roles {
  /** The control plane: admin API, certificates, health checks, log files. */
  readonly control: boolean;
  /** Serving traffic: listeners are bound here. */
  readonly traffic: boolean;
}

/** Releases something that was acquired. */
export type Disposer = () => void | Promise<void>;

/** Makes the instance of a list's element or of a structure; a function of a module, not a closure. */
export type Provision<N extends Json, T> = (node: N, context: Context<T>) => T | Promise<T>;

/** What {@link Context.list} gives. */
export interface LoadedList<T> {
  readonly items: ChunkedList<T>;
  /** The instances of the list that this one replaces, and how they differ; `null` for a first provision. */
  readonly previous: ChunkedList<T> | null;
  readonly splice: ArraySplice | null;
}

/** A segment of a position: an object key or an array index. */
export type Segment = string | number;

/** Given to `provision`, whose instance is a `T`. It is used while provisioning and not kept for later. */
export interface Context<out T = unknown> {
  /** The top-level part of the configuration that this belongs to, such as `apps/http`. */
  readonly unit: string;
  /** What this thread does with the configuration. */
  readonly roles: Roles;
  /** Whether the configuration that this belongs to is still being built; hooks that are set later do nothing. */
  readonly provisioning: boolean;
  /** A logger named after the module. */
  readonly log: Logger;
  /**
   * The instance that this one replaces, or `null`: to carry state over, or to build by difference. It still serves
   * until the swap, and goes on serving if this provision fails: do not change what its requests see.
   */
  readonly previous: T | null;
  /** The part of the configuration that {@link previous} was provisioned with; `undefined` where there is none. */
  readonly previousConfig: Json | undefined;

  /** Where this is in the configuration, with further segments if given: `apps.http.servers.s.routes[3]`. */
  where(...at: Segment[]): string;
  /** An error at this place of the configuration, with further segments if given. */
  error(message: string, ...at: Segment[]): Error;

  /** Loads the module whose name stands in the object itself, at `nameKey`. */
  loadInline<M>(of: Namespace<M>, node: Json, nameKey: string, ...at: Segment[]): Promise<M>;
  /** Loads the module of a known name, such as one entry of a module map. */
  loadNamed<M>(of: Namespace<M>, name: string, node: Json, ...at: Segment[]): Promise<M>;
  /** Loads all modules of a module map, in the order of its keys. */
  loadMap<M>(of: Namespace<M>, node: JsonObject, ...at: Segment[]): Promise<Map<string, M>>;
  /** Loads a list of modules whose names stand in themselves. */
  loadInlineList<M>(of: Namespace<M>, nodes: JsonArray, nameKey: string, ...at: Segment[]): Promise<M[]>;
  /** Provisions a part of the configuration that is not a module but is worth keeping when only its siblings change. */
  structure<N extends Json, P>(node: N, provision: Provision<N, P>, ...at: Segment[]): Promise<P>;
  /**
   * Provisions a list of like parts, such as routes. A change of one element costs that element and a comparison of
   * pointers, whatever the length.
   */
  list<N extends Json, P>(nodes: JsonArray, provision: Provision<N, P>, ...at: Segment[]): Promise<LoadedList<P>>;

  /** The app of a token, provisioned first if need be, with empty options if the configuration does not have it. */
  app<A>(token: AppToken<A>): Promise<A>;
  /** The app of a token if the configuration has it, else `null`. */
  appIfConfigured<A>(token: AppToken<A>): Promise<A | null>;
  /** Like {@link app}, but `null` where no package brings such an app. */
  appIfRegistered<A>(token: AppToken<A>): Promise<A | null>;

  /** What a host above provides, or a service of this thread. An error if neither does. */
  use<V>(token: Token<V>): V;
  /** Like {@link use}, but `undefined` where nothing provides it. */
  find<V>(token: Token<V>): V | undefined;
  /** Provides a value for the modules that this one hosts. Those that ask for it are provisioned again when it changes. */
  provide<V>(token: Token<V>, value: V): void;

  /** Takes a pooled resource; it is retired and released with this module. */
  acquire<R extends Pooled>(pool: ResourcePool<R>, key: string, create: () => R | Promise<R>): Promise<R>;
  /** Runs once everything is provisioned, before the swap. May fail, and then nothing is swapped. */
  onStart(start: () => void | Promise<void>): void;
  /** Runs at the swap. Must not fail and must not wait: a failure is logged and stops nothing. */
  onCommit(commit: () => void): void;
  /**
   * Awaited before the swap when the configuration drops this module and puts nothing in its place: a last delay. A failure is
   * logged and stops nothing.
   */
  onLeave(leave: () => Promise<void>): void;
  /** Runs when the configuration drops this module, while requests may still use it. */
  onRetire(retire: () => void): void;
  /** Runs when nothing can use this module any more, or when its provision fails. Last registered, first run. */
  onDispose(dispose: Disposer): void;
}
