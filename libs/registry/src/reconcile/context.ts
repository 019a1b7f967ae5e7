/**
 * The context of a provision: how a module loads the modules that it hosts, asks for what others provide, and acquires.
 * Whatever is acquired through it is let go of in reverse order: when the configuration drops the module and its last
 * request is done, or at once when a part of the provision fails.
 */
import { configError } from '../errors.ts';
import { isObject, kindOf, own, type Json, type JsonArray, type JsonObject } from '../config/json.ts';
import type { ArraySplice } from '../config/diff.ts';
import { formatWhere } from '../config/path.ts';
import type { Logger } from '../logging/logger.ts';
import type { AppToken, Namespace, Token } from '../modules/namespace.ts';
import type { Build } from './build.ts';
import type { Component, Disposer } from './component.ts';
import type { Pooled, ResourcePool } from './pool.ts';

/** What a thread does with a configuration. With `--workers 0` one thread does both. */
export interface Roles {
  /** The control plane: admin API, certificates, health checks, log files. */
  readonly control: boolean;
  /** Serving traffic: listeners are bound here. */
  readonly traffic: boolean;
}

/** Makes the instance of a list's element or of a structure; a function of a module, not a closure. */
export type Provision<N extends Json, T> = (node: N, context: Context) => T | Promise<T>;

/** What {@link Context.list} gives. */
export interface LoadedList<T> {
  readonly items: readonly T[];
  /** The instances of the list that this one replaces, and how they differ; `null` for a first provision. */
  readonly previous: readonly T[] | null;
  readonly splice: ArraySplice | null;
}

/** A segment of a position: an object key or an array index. */
export type Segment = string | number;

/** Given to `provision`; see the methods. It is used while provisioning and not kept for later. */
export class Context {
  readonly #build: Build;
  readonly #component: Component;
  readonly #parent: Context | null;
  readonly #segments: readonly Segment[];
  readonly #previous: Component | null;

  constructor(
    build: Build,
    component: Component,
    parent: Context | null,
    segments: readonly Segment[],
    previous: Component | null,
  ) {
    this.#build = build;
    this.#component = component;
    this.#parent = parent;
    this.#segments = segments;
    this.#previous = previous;
  }

  /** Where this is in the configuration, with further segments if given: `apps.http.servers.s.routes[3]`. */
  where(...at: Segment[]): string {
    return formatWhere([...this.#path(), ...at]);
  }

  /** The top-level unit that this belongs to, such as `apps/http`. Used by the build to find circles of apps. */
  get unit(): string {
    return this.#parent === null ? this.#component.key : this.#parent.unit;
  }

  /** What this thread does with the configuration. */
  get roles(): Roles {
    return this.#build.roles;
  }

  /** Whether the configuration that this belongs to is still being built; hooks that are set later do nothing. */
  get provisioning(): boolean {
    return !this.#build.finished;
  }

  /** The module that this belongs to, such as `http.handlers.headers`. Called by the build, for errors. */
  get moduleId(): string {
    return this.#moduleId();
  }

  /** A logger named after the module. */
  get log(): Logger {
    return this.#build.log.named(this.#moduleId());
  }

  /** The instance that this one replaces, or `null`; to carry over state, or to build by difference. Never change it. */
  get previous(): unknown {
    return this.#previous?.instance ?? null;
  }

  /** The configuration of what this replaces. Called by the build, which need not check again what passed then. */
  get replaced(): Json | undefined {
    return this.#previous?.node;
  }

  /** An error at this place of the configuration, with further segments if given. */
  error(message: string, ...at: Segment[]): Error {
    return configError(this.where(...at), message);
  }

  /** Loads the module whose name stands in the object itself, at `nameKey`. */
  async loadInline<T>(of: Namespace<T>, node: Json, nameKey: string, ...at: Segment[]): Promise<T> {
    if (!isObject(node))
      throw this.error(
        `expected an object with the name of a module in ${JSON.stringify(nameKey)}, not ${kindOf(node)}`,
        ...at,
      );
    const name = own(node, nameKey);
    if (typeof name !== 'string' || name === '') {
      throw this.error(`the name of a module of ${of.id} is missing: put it into ${JSON.stringify(nameKey)}`, ...at);
    }
    return this.#load(of, name, node, nameKey, at);
  }

  /** Loads the module of a known name, such as one entry of a module map. */
  async loadNamed<T>(of: Namespace<T>, name: string, node: Json, ...at: Segment[]): Promise<T> {
    return this.#load(of, name, node, null, at);
  }

  /** Loads all modules of a module map, in the order of its keys. */
  async loadMap<T>(of: Namespace<T>, node: JsonObject, ...at: Segment[]): Promise<Map<string, T>> {
    const modules = new Map<string, T>();
    for (const name of Object.keys(node)) {
      if (name === '@id') continue;
      modules.set(name, await this.#load(of, name, node[name] as Json, null, [...at, name]));
    }
    return modules;
  }

  /** Loads a list of modules whose names stand in themselves. */
  async loadInlineList<T>(of: Namespace<T>, nodes: JsonArray, nameKey: string, ...at: Segment[]): Promise<T[]> {
    const modules: T[] = [];
    for (const [index, node] of nodes.entries()) modules.push(await this.loadInline(of, node, nameKey, ...at, index));
    return modules;
  }

  /** Provisions a part of the configuration that is no module but is worth keeping when only its siblings change. */
  async structure<N extends Json, T>(node: N, provision: Provision<N, T>, ...at: Segment[]): Promise<T> {
    const component = await this.#build.structure(
      this,
      this.#component,
      this.#previous,
      node,
      provision as Provision<Json, T>,
      at,
    );
    return component.instance as T;
  }

  /**
   * Provisions a list of like parts, such as routes. A change of one element costs that element and a comparison of
   * pointers, whatever the length.
   */
  async list<N extends Json, T>(
    nodes: JsonArray,
    provision: Provision<N, T>,
    ...at: Segment[]
  ): Promise<LoadedList<T>> {
    return this.#build.list(
      this,
      this.#component,
      this.#previous,
      nodes,
      provision as Provision<Json, T>,
      at,
    ) as Promise<LoadedList<T>>;
  }

  /** The app of a token, provisioned first if need be, with empty options if the configuration does not have it. */
  async app<T>(token: AppToken<T>): Promise<T> {
    const instance = await this.#build.app(token, true, this.unit);
    this.#component.needs.set(token, instance);
    return instance as T;
  }

  /** The app of a token if the configuration has it, else `null`. */
  async appIfConfigured<T>(token: AppToken<T>): Promise<T | null> {
    const instance = await this.#build.app(token, false, this.unit);
    this.#component.needs.set(token, instance);
    return instance as T | null;
  }

  /** Like {@link app}, but `null` where no package brings such an app. */
  async appIfRegistered<T>(token: AppToken<T>): Promise<T | null> {
    return this.#build.hasApp(token.name) ? this.app(token) : null;
  }

  /** What a host above provides, or a service of this thread. An error if nobody provides it. */
  use<T>(token: Token<T>): T {
    const value = this.find(token);
    if (value === undefined) throw this.error(`needs ${token.name}, which nothing around it provides`);
    return value;
  }

  /** Like {@link use}, but `undefined` if nobody provides it. */
  find<T>(token: Token<T>): T | undefined {
    const value = this.lookUp(token);
    this.#component.needs.set(token, value);
    return value as T | undefined;
  }

  /** Looks a token up without recording a need. Called by the build to compare recorded needs. */
  lookUp(token: Token<unknown>): unknown {
    if (this.#component.provided.has(token)) return this.#component.provided.get(token);
    return this.#parent === null ? this.#build.service(token) : this.#parent.lookUp(token);
  }

  /** Provides a value for the modules that this one hosts. Those that ask for it are made anew when it changes. */
  provide<T>(token: Token<T>, value: T): void {
    this.#component.provided.set(token, value);
  }

  /** Takes a pooled resource; it is retired and released with this module. */
  async acquire<T extends Pooled>(pool: ResourcePool<T>, key: string, create: () => T | Promise<T>): Promise<T> {
    const lease = await pool.acquire(key, create);
    this.onRetire(lease.retire);
    this.onDispose(lease.release);
    return lease.value;
  }

  /** Runs once everything is provisioned, before the swap. May fail, and then nothing is swapped. */
  onStart(start: () => void | Promise<void>): void {
    this.#build.startHooks.push({ run: start, where: this.where(), moduleId: this.#moduleId() });
  }

  /** Runs at the swap. Must not fail and must not wait: a failure is logged and stops nothing. */
  onCommit(commit: () => void): void {
    this.#build.commitHooks.push({ run: commit, where: this.where(), moduleId: this.#moduleId() });
  }

  /** Awaited before the swap when the configuration drops this module and puts nothing in its place: a last delay. */
  onLeave(leave: () => Promise<void>): void {
    this.#component.leaveHooks.push(leave);
  }

  /** Runs when the configuration drops this module, while requests may still use it. */
  onRetire(retire: () => void): void {
    this.#component.retireHooks.push(retire);
  }

  /** Runs when nothing can use this module any more, or when its provision fails. Last registered, first run. */
  onDispose(dispose: Disposer): void {
    this.#component.resources.push(dispose);
  }

  async #load<T>(
    of: Namespace<T>,
    name: string,
    node: Json,
    nameKey: string | null,
    at: readonly Segment[],
  ): Promise<T> {
    const component = await this.#build.module(this, this.#component, this.#previous, of, name, node, nameKey, at);
    return component.instance as T;
  }

  #path(): Segment[] {
    return this.#parent === null ? [...this.#segments] : [...this.#parent.#path(), ...this.#segments];
  }

  #moduleId(): string {
    if (this.#component.moduleId !== null) return this.#component.moduleId;
    return this.#parent === null ? 'sluice' : this.#parent.#moduleId();
  }
}
