/** Implements {@link Context}, through which a module is provisioned. */
import {
  isObject,
  kindOf,
  own,
  type Json,
  type JsonArray,
  type JsonObject,
  flat,
  formatWhere,
  configError,
  type Logger,
} from '@sluice/base';
import type {
  CanaryTraffic,
  Context,
  Disposer,
  LoadedList,
  Provision,
  RetireReason,
  Roles,
  Segment,
  AppToken,
  Namespace,
  Token,
  Pooled,
  ResourcePool,
} from '@sluice/registry';
import { providedIn, type Component } from './component.ts';
import type { LifecycleHooks } from './lifecycle-hooks.ts';
import { pathOf, type Position } from './position.ts';

/** A module reference in a configuration node. */
export interface NamedNode {
  readonly name: string;
  readonly node: Json;
  /** Key of `node` that contains the module name; `null` if another node contains the name. */
  readonly nameKey: string | null;
}

/** Parts of the build that a context uses. */
export interface Provisioner {
  readonly roles: Roles;
  readonly log: Logger;
  readonly isCanary: boolean;
  /** True after the commit or abort of the build. */
  readonly finished: boolean;
  readonly hooks: LifecycleHooks;
  /** Calls a disposer that was registered after its provisioning was abandoned. Reports any error that the disposer throws. */
  release(dispose: Disposer): void;
  /** Returns a service of the current thread. */
  service(token: Token<unknown>): unknown;
  hasApp(name: string): boolean;
  /**
   * Returns the instance of an app on which the app or section `from` depends. If `always` is true, creates the app even if it is not
   * configured.
   */
  app(token: AppToken<unknown>, always: boolean, from: string): Promise<unknown>;
  readonly components: ComponentLoader;
}

export interface ComponentLoader {
  /** Provisions a module. Returns a promise only if provisioning is asynchronous. */
  module(host: ProvisionContext, of: Namespace<unknown>, named: NamedNode, at: Place): Component | Promise<Component>;
  structure(host: ProvisionContext, node: Json, provision: AnyProvision, at: Place): Promise<Component>;
  list(host: ProvisionContext, nodes: JsonArray, provision: AnyProvision, at: Place): Promise<LoadedList<unknown>>;
}

/** Path segments relative to a host. */
export type Place = readonly Segment[];
export type AnyProvision = Provision<Json, unknown>;

/** Position at which a module is provisioned. */
export interface ProvisionPlace {
  readonly component: Component;
  /** Context of the host; `null` for apps and sections. */
  readonly host: ProvisionContext | null;
  /** Path segments relative to the host, or to the document root if there is no host. */
  readonly at: readonly Segment[];
  /** Previous component at this position, if it has the same kind. */
  readonly replaced: Component | null;
}

export class ProvisionContext implements Context<never> {
  /** The component that is being provisioned. Only the build reads this property. */
  readonly component: Component;
  readonly unit: string;
  /** ID of the enclosing module for error messages, such as `http.handlers.headers`. */
  readonly moduleId: string;
  readonly #build: Provisioner;
  readonly #position: Position;
  #replaced: Component | null;
  #waits = 0;
  #abandoned = false;

  constructor(build: Provisioner, { component, host, at, replaced }: ProvisionPlace) {
    this.component = component;
    this.unit = host === null ? component.key : host.unit;
    this.moduleId = component.moduleId ?? host?.moduleId ?? 'sluice';
    this.#build = build;
    this.#position = { above: host === null ? null : host.#position, at, provided: component.provided };
    this.#replaced = replaced;
  }

  /** Previous component at this position, if it has the same kind. Only the build reads this property. */
  get replaced(): Component | null {
    return this.#replaced;
  }

  /**
   * Called when provisioning has ended. Modules may keep the context, for example for error messages. The context must not keep the
   * replaced component and its predecessors in memory.
   */
  end(): void {
    this.#replaced = null;
  }

  get waitsForOthers(): boolean {
    return this.#waits > 0;
  }

  /** Called when provisioning has failed or timed out. Resources that are acquired later are released immediately. */
  abandon(): void {
    this.#abandoned = true;
    this.end();
  }

  where(...at: Segment[]): string {
    // Flatten the string to save memory, because modules keep it for later messages and there are many routes.
    return flat(formatWhere([...pathOf(this.#position), ...at]));
  }

  get roles(): Roles {
    return this.#build.roles;
  }

  get isCanary(): boolean {
    return this.#build.isCanary;
  }

  get provisioning(): boolean {
    return !this.#build.finished;
  }

  get log(): Logger {
    return this.#build.log.named(this.moduleId);
  }

  get previous(): never {
    return (this.#replaced?.instance ?? null) as never;
  }

  get previousConfig(): Json | undefined {
    return this.#replaced?.node;
  }

  error(message: string, ...at: Segment[]): Error {
    return configError(this.where(...at), message);
  }

  async loadInline<M>(of: Namespace<M>, node: Json, nameKey: string, ...at: Segment[]): Promise<M> {
    if (!isObject(node))
      throw this.error(
        `expected an object with a module name in ${JSON.stringify(nameKey)}, not ${kindOf(node)}`,
        ...at,
      );
    const name = own(node, nameKey);
    if (typeof name !== 'string' || name === '') {
      throw this.error(`module name of ${of.id} is missing: set ${JSON.stringify(nameKey)}`, ...at);
    }
    const made = this.#build.components.module(this, of, { name, node, nameKey }, at);
    return (made instanceof Promise ? await this.#waitFor(made) : made).instance as M;
  }

  async loadNamed<M>(of: Namespace<M>, name: string, node: Json, ...at: Segment[]): Promise<M> {
    const made = this.#build.components.module(this, of, { name, node, nameKey: null }, at);
    return (made instanceof Promise ? await this.#waitFor(made) : made).instance as M;
  }

  async loadMap<M>(of: Namespace<M>, node: JsonObject, ...at: Segment[]): Promise<Map<string, M>> {
    const modules = new Map<string, M>();
    for (const [name, options] of Object.entries(node)) {
      if (name === '@id') continue;
      modules.set(name, await this.loadNamed(of, name, options, ...at, name));
    }
    return modules;
  }

  async loadInlineList<M>(of: Namespace<M>, nodes: JsonArray, nameKey: string, ...at: Segment[]): Promise<M[]> {
    const modules: M[] = [];
    for (const [index, node] of nodes.entries()) modules.push(await this.loadInline(of, node, nameKey, ...at, index));
    // Copy the array to its exact length. A growing array reserves space for sixteen more elements, and hosts keep the array.
    return modules.slice();
  }

  async structure<N extends Json, P>(node: N, provision: Provision<N, P>, ...at: Segment[]): Promise<P> {
    const structure = this.#build.components.structure(this, node, provision as AnyProvision, at);
    const component = await this.#waitFor(structure);
    return component.instance as P;
  }

  async list<N extends Json, P>(
    nodes: JsonArray,
    provision: Provision<N, P>,
    ...at: Segment[]
  ): Promise<LoadedList<P>> {
    return this.#waitFor(
      this.#build.components.list(this, nodes, provision as AnyProvision, at) as Promise<LoadedList<P>>,
    );
  }

  async app<A>(token: AppToken<A>): Promise<A> {
    const instance = await this.#waitFor(this.#build.app(token, true, this.unit));
    this.component.need(token, instance);
    return instance as A;
  }

  async appIfConfigured<A>(token: AppToken<A>): Promise<A | null> {
    const instance = await this.#waitFor(this.#build.app(token, false, this.unit));
    this.component.need(token, instance);
    return instance as A | null;
  }

  async appIfRegistered<A>(token: AppToken<A>): Promise<A | null> {
    return this.#build.hasApp(token.name) ? this.app(token) : null;
  }

  use<V>(token: Token<V>): V {
    const value = this.find(token);
    if (value === undefined) throw this.error(`requires ${token.name}, which no enclosing module provides`);
    return value;
  }

  find<V>(token: Token<V>): V | undefined {
    const value = this.lookUp(token);
    this.component.need(token, value);
    return value as V | undefined;
  }

  /** Resolves a token without recording a dependency. The build uses this to compare recorded dependencies. */
  lookUp(token: Token<unknown>): unknown {
    for (let place: Position | null = this.#position; place !== null; place = place.above) {
      const found = providedIn(place.provided, token);
      if (found !== null) return found.value;
    }
    return this.#build.service(token);
  }

  provide<V>(token: Token<V>, value: V): void {
    this.component.provide(token, value);
    this.#position.provided = this.component.provided;
  }

  async acquire<R extends Pooled>(pool: ResourcePool<R>, key: string, create: () => R | Promise<R>): Promise<R> {
    const lease = await pool.acquire(key, create);
    this.onRetire(lease.retire);
    this.onDispose(lease.release);
    return lease.value;
  }

  onStart(start: () => void | Promise<void>): void {
    this.#build.hooks.onStart({ run: start, where: this.where(), moduleId: this.moduleId });
  }

  onCommit(commit: () => void): void {
    this.#build.hooks.onCommit({ run: commit, where: this.where(), moduleId: this.moduleId });
  }

  onTakeOver(takeOver: () => void): void {
    this.#build.hooks.onTakeOver({ run: takeOver, where: this.where(), moduleId: this.moduleId });
  }

  onCanary(start: (traffic: CanaryTraffic) => () => void): void {
    this.#build.hooks.onCanary({ run: start, where: this.where(), moduleId: this.moduleId });
  }

  onLeave(leave: () => Promise<void>): void {
    this.component.onLeave({ run: leave, where: this.where(), moduleId: this.moduleId });
  }

  onRetire(retire: (reason: RetireReason) => void): void {
    this.component.onRetire(retire);
  }

  onDispose(dispose: Disposer): void {
    if (this.#abandoned) this.#build.release(dispose);
    else this.component.acquired(dispose);
  }

  async #waitFor<T>(work: Promise<T>): Promise<T> {
    this.#waits++;
    try {
      return await work;
    } finally {
      this.#waits--;
    }
  }
}
