/**
 * One attempt to apply a document. It reuses components of the current generation whose node and dependencies are
 * unchanged, and provisions the rest.
 *
 * It ends with a commit or an abort. Until the commit, the current generation is not modified.
 */
import {
  isObject,
  own,
  type Json,
  type JsonArray,
  type JsonObject,
  located,
  type Logger,
  taskOf,
  unawaited,
} from '@sluice/base';
import {
  type KnownModule,
  type ModuleDescriptor,
  apps,
  type AppToken,
  type Disposer,
  type Namespace,
  type Token,
  type LoadedList,
  type Provision,
  type Roles,
  type Segment,
} from '@sluice/registry';
import {
  Component,
  disposeAll,
  disposeNow,
  isUnchanged,
  leaveHooksOf,
  ListComponent,
  positionKey,
} from './component.ts';
import { Handover } from './handover.ts';
import { checkReference, findModule, loadModule, provisionModule } from './hosted-module.ts';
import { fillList } from './list-elements.ts';
import { LifecycleHooks } from './lifecycle-hooks.ts';
import { PendingWork } from './pending-work.ts';
import { ProvisionContext, type NamedNode, type Provisioner } from './provision-context.ts';
import { absent, appNames, appNode, rootOf } from './top-level.ts';
import { runProvision } from './run-provision.ts';
import {
  missingIn,
  type Blueprint,
  type BuildHost,
  type BuildStart,
  type Committed,
  type Units,
} from './build-start.ts';
import { UnitWaits } from './unit-waits.ts';

/** Builds a generation. Only the runtime creates and controls it. */
export class Build implements Provisioner {
  readonly hooks: LifecycleHooks;
  readonly #host: BuildHost;
  #config: Json;
  #units = new Map<string, Component>();
  #previous: Units;
  readonly #force: boolean;
  /** First epoch whose requests can use its components. */
  readonly since: number;
  #pending = new Map<string, Promise<Component>>();
  #handover = new Handover();
  readonly #waits = new UnitWaits();
  readonly #pendingWork: PendingWork;
  #finished = false;

  constructor(host: BuildHost, { config, previous, force, since }: BuildStart) {
    this.#host = host;
    this.#pendingWork = new PendingWork(host.provisionTimeout, host.roles.control || !host.roles.traffic);
    this.hooks = new LifecycleHooks(host, this.#pendingWork);
    this.#config = config;
    this.#previous = previous;
    this.#force = force;
    this.since = since;
  }

  /** Apps and sections; empty after the commit. */
  get units(): Units {
    return this.#units;
  }

  get roles(): Roles {
    return this.#host.roles;
  }

  /** True after the commit or abort. */
  get finished(): boolean {
    return this.#finished;
  }

  get log(): Logger {
    return this.#host.log;
  }

  release(dispose: Disposer): void {
    unawaited(
      taskOf('reconciler'),
      disposeAll([dispose], (error) => this.#notDisposed(error)),
    );
  }

  /** Returns a service of the thread. */
  service(token: Token<unknown>): unknown {
    return this.#host.services.get(token);
  }

  /** Provisions all sections and apps of the document, then runs the start hooks. */
  async run(): Promise<void> {
    const sections = this.#host.registry.sections();
    const root = rootOf(this.#config, sections);
    for (const descriptor of sections.values()) await this.#section(descriptor, root);
    for (const name of appNames(root)) await this.#unit(name);
    if (this.roles.control || this.roles.traffic) await this.hooks.start();
  }

  /** Reports whether an app is registered, configured or not. */
  hasApp(name: string): boolean {
    return this.#host.registry.find(apps, name) !== undefined;
  }

  /**
   * Returns the instance of an app. If it is not configured, creates it with empty options if `always` is set,
   * otherwise returns `null`.
   */
  async app(token: AppToken<unknown>, always: boolean, from: string): Promise<unknown> {
    const section = this.#host.registry.sections().get(token.name);
    if (section === undefined && !always && appNode(this.#config, token.name) === undefined) return null;
    this.#waits.add(from, section === undefined ? `apps/${token.name}` : token.name);
    const root = isObject(this.#config) ? this.#config : absent;
    return (await (section === undefined ? this.#unit(token.name) : this.#section(section, root))).instance;
  }

  module(
    host: ProvisionContext,
    of: Namespace<unknown>,
    named: NamedNode,
    at: readonly Segment[],
  ): Component | Promise<Component> {
    const found = findModule(this.#host.registry, of, named.name, () => host.where(...at));
    if (found.loaded !== null) return this.#hosted(host, found.loaded, named, at);
    const loading = this.#load(found, host.where(...at));
    return loading.then((descriptor) => this.#hosted(host, descriptor, named, at));
  }

  #hosted(
    host: ProvisionContext,
    descriptor: ModuleDescriptor,
    { node, nameKey }: NamedNode,
    at: readonly Segment[],
  ): Component | Promise<Component> {
    const provision = (context: ProvisionContext): unknown =>
      provisionModule({ descriptor, node, nameKey, check: this.#host.check }, context);
    return this.#child(host, at, { kind: descriptor, node, moduleId: descriptor.id, provision });
  }

  async structure(
    host: ProvisionContext,
    node: Json,
    provision: Provision<Json, unknown>,
    at: readonly Segment[],
  ): Promise<Component> {
    const make = (context: ProvisionContext): unknown => provision(node, context);
    return this.#child(host, at, { kind: provision, node, moduleId: null, provision: make });
  }

  async list(
    host: ProvisionContext,
    nodes: JsonArray,
    provision: Provision<Json, unknown>,
    at: readonly Segment[],
  ): Promise<LoadedList<unknown>> {
    const parent = host.component;
    const key = positionKey(at);
    const candidate = host.replaced?.child(key);
    const old = candidate instanceof ListComponent && candidate.kind === provision ? candidate : null;
    const sameNeeds = old !== null && (await this.#unchanged(old, host));
    if (sameNeeds && old.node === nodes) {
      this.#handover.keep(old, parent);
      const splice = { start: nodes.length, removed: 0, inserted: 0 };
      return { items: old.instances, previous: old.instances, splice };
    }
    const origin = { kind: provision, since: this.since, moduleId: null };
    const list = new ListComponent({ ...origin, key, node: nodes, owner: parent });
    const { splice, made, departed } = await fillList(list, old, sameNeeds, {
      isUnchanged: (element) => this.#unchanged(element, host),
      make: (i, replaced) => {
        const node = nodes[i] as Json;
        const component = new Component({ ...origin, key: '', node, owner: null });
        const context = new ProvisionContext(this, { component, host, at: [...at, i], replaced });
        return this.#run(context, (inner) => provision(node, inner));
      },
      discard: (elements) => this.#discard(elements),
    });
    this.#handover.filled(list, made);
    if (old !== null) this.#handover.replaced(old, departed);
    parent.adopt(list);
    return { items: list.instances, previous: sameNeeds ? old.instances : null, splice: sameNeeds ? splice : null };
  }

  /**
   * Transfers ownership of kept components to this build, and returns the dropped ones.
   *
   * Other threads may have swapped already. Errors of hooks are therefore logged, and the commit continues.
   */
  commit(): Committed {
    this.#finished = true;
    this.#handover.commit();
    this.hooks.commit();
    const committed = { config: this.#config, units: this.#units, dropped: missingIn(this.#units, this.#previous) };
    // Contexts that modules keep reference this build. Clearing these fields prevents them from keeping whole
    // configurations alive.
    this.#config = null;
    this.#previous = this.#units = new Map();
    this.#pending = new Map();
    this.#handover = new Handover();
    this.hooks.release();
    return committed;
  }

  /**
   * Runs the leave hooks of dropped components, which can delay the swap. Never rejects.
   *
   * Errors are logged, because a dropped component must not prevent the other threads, which have prepared the change,
   * from applying it.
   */
  async leave(): Promise<void> {
    await this.hooks.leave(
      [...this.#previous].flatMap(([name, component]) => leaveHooksOf(component, this.units.get(name))),
    );
  }

  /** Releases everything that this build created, in reverse order. */
  async abort(): Promise<void> {
    this.#finished = true;
    await this.#discard(missingIn(this.#previous, this.#units));
  }

  /** Loads the code of a module, which may contain a top-level await. */
  async #load(module: KnownModule, where: string): Promise<ModuleDescriptor> {
    const pending = this.#pendingWork;
    try {
      return await pending.within(loadModule(this.#host.registry, module, where), () =>
        pending.lateError('code', module.id),
      );
    } catch (error) {
      throw located(error, where);
    }
  }

  async #unit(name: string): Promise<Component> {
    const node = appNode(this.#config, name) ?? absent;
    const found = findModule(this.#host.registry, apps, name, () => `apps.${name}`);
    const descriptor = found.loaded ?? (await this.#load(found, `apps.${name}`));
    return this.#top(`apps/${name}`, descriptor, node, ['apps', name]);
  }

  async #section(descriptor: ModuleDescriptor, root: JsonObject): Promise<Component> {
    const node = own(root, descriptor.name);
    if (node !== undefined) checkReference(descriptor, node);
    return this.#top(descriptor.name, descriptor, node ?? absent, [descriptor.name]);
  }

  #top(unit: string, descriptor: ModuleDescriptor, node: Json, at: readonly string[]): Promise<Component> {
    const pending = this.#pending.get(unit) ?? this.#makeTop(unit, descriptor, node, at);
    this.#pending.set(unit, pending);
    return pending;
  }

  async #makeTop(unit: string, descriptor: ModuleDescriptor, node: Json, at: readonly string[]): Promise<Component> {
    const replaced = this.#force ? null : (this.#previous.get(unit) ?? null);
    const { id: moduleId } = descriptor;
    const component = new Component({ key: unit, kind: descriptor, node, since: this.since, moduleId, owner: null });
    const context = new ProvisionContext(this, { component, host: null, at, replaced });
    if (
      replaced !== null &&
      replaced.node === node &&
      replaced.kind === descriptor &&
      (await this.#unchanged(replaced, context))
    ) {
      this.#units.set(unit, replaced);
      return replaced;
    }
    const { check } = this.#host;
    await this.#run(context, (inner) => provisionModule({ descriptor, node, nameKey: null, check }, inner));
    this.#units.set(unit, component);
    return component;
  }

  /**
   * Returns a component of a host. Returns a promise only if something is asynchronous, because there are thousands of
   * components.
   */
  #child(host: ProvisionContext, at: readonly Segment[], blueprint: Blueprint): Component | Promise<Component> {
    const old = host.replaced?.child(positionKey(at)) ?? null;
    if (old !== null && old.node === blueprint.node && old.kind === blueprint.kind)
      return this.#keepOrMake(host, at, blueprint, old);
    return this.#make(host, at, blueprint, old);
  }

  async #keepOrMake(
    host: ProvisionContext,
    at: readonly Segment[],
    blueprint: Blueprint,
    old: Component,
  ): Promise<Component> {
    if (!(await this.#unchanged(old, host))) return this.#make(host, at, blueprint, old);
    this.#handover.keep(old, host.component);
    return old;
  }

  #make(
    host: ProvisionContext,
    at: readonly Segment[],
    { kind, node, moduleId, provision }: Blueprint,
    old: Component | null,
  ): Component | Promise<Component> {
    const owner = host.component;
    const component = new Component({ key: positionKey(at), kind, node, since: this.since, moduleId, owner });
    const replaced = old?.kind === kind ? old : null;
    const made = this.#run(new ProvisionContext(this, { component, host, at, replaced }), provision);
    return made instanceof Promise ? made.then((child) => owner.adopt(child)) : owner.adopt(made);
  }

  #run(context: ProvisionContext, provision: (context: ProvisionContext) => unknown): Component | Promise<Component> {
    return runProvision(context, provision, {
      pending: this.#pendingWork,
      failed: (error) => this.#failed(context, error),
    });
  }

  async #failed(context: ProvisionContext, error: unknown): Promise<never> {
    context.abandon();
    await this.#discard([context.component]);
    throw located(this.hooks.blamed(error, context.moduleId), context.where());
  }

  /** Reports whether all external dependencies of a component are unchanged. */
  #unchanged(component: Component, host: ProvisionContext): Promise<boolean> {
    return isUnchanged(component, (token, value) =>
      'app' in token ? this.app(token as AppToken<unknown>, value !== null, host.unit) : host.lookUp(token),
    );
  }

  #discard(components: readonly Component[]): Promise<void> {
    return disposeNow(components, (error) => this.#notDisposed(error));
  }

  #notDisposed(error: unknown): void {
    this.log.error('failed to dispose of a configuration that was not applied', { error });
  }
}
