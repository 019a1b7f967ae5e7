/**
 * One attempt to apply a document: it reuses the components of the current generation whose node and needs are the
 * same, and provisions the rest. It ends in a commit or an abort; until the commit nothing of the old is touched.
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
import { LifeHooks } from './life-hooks.ts';
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

/** Builds a generation. Made and driven by the runtime alone. */
export class Build implements Provisioner {
  readonly hooks: LifeHooks;
  readonly #host: BuildHost;
  #config: Json;
  #units = new Map<string, Component>();
  #previous: Units;
  readonly #force: boolean;
  /** The epoch from which on requests can use what it makes. */
  readonly since: number;
  #pending = new Map<string, Promise<Component>>();
  #handover = new Handover();
  readonly #waits = new UnitWaits();
  readonly #pendingWork: PendingWork;
  #finished = false;

  constructor(host: BuildHost, { config, previous, force, since }: BuildStart) {
    this.#host = host;
    this.#pendingWork = new PendingWork(host.provisionTimeout, host.roles.control || !host.roles.traffic);
    this.hooks = new LifeHooks(host, this.#pendingWork);
    this.#config = config;
    this.#previous = previous;
    this.#force = force;
    this.since = since;
  }

  /** Apps and sections; none after the commit. */
  get units(): Units {
    return this.#units;
  }

  get roles(): Roles {
    return this.#host.roles;
  }

  /** Whether it has ended in a commit or an abort. */
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

  /** A service of the thread. */
  service(token: Token<unknown>): unknown {
    return this.#host.services.get(token);
  }

  /** Provisions every section and app of the document, then runs the start hooks. */
  async run(): Promise<void> {
    const sections = this.#host.registry.sections();
    const root = rootOf(this.#config, sections);
    for (const descriptor of sections.values()) await this.#section(descriptor, root);
    for (const name of appNames(root)) await this.#unit(name);
    if (this.roles.control || this.roles.traffic) await this.hooks.start();
  }

  /** Whether there is an app of a name, configured or not. */
  hasApp(name: string): boolean {
    return this.#host.registry.find(apps, name) !== undefined;
  }

  /** The instance of an app. Without options in the document it is made with none, if `always`, else it is `null`. */
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
   * Makes this build's components the owners of what they kept, and gives back what was dropped. By now other threads may
   * have swapped: a hook that throws in spite of its contract is logged, and the rest is committed.
   */
  commit(): Committed {
    this.#finished = true;
    this.#handover.commit();
    this.hooks.commit();
    const committed = { config: this.#config, units: this.#units, dropped: missingIn(this.#units, this.#previous) };
    // Contexts that modules keep know this build: with what it worked with they would keep whole configurations.
    this.#config = null;
    this.#previous = this.#units = new Map();
    this.#pending = new Map();
    this.#handover = new Handover();
    this.hooks.release();
    return committed;
  }

  /**
   * Waits for what is about to be dropped for good and asks for a last delay. Never rejects: what fails is logged, since a
   * part that is dropped cannot keep other threads, which have prepared the change, from making it.
   */
  async leave(): Promise<void> {
    await this.hooks.leave(
      [...this.#previous].flatMap(([name, component]) => leaveHooksOf(component, this.units.get(name))),
    );
  }

  /** Lets go of everything that this build made, last first. */
  async abort(): Promise<void> {
    this.#finished = true;
    await this.#discard(missingIn(this.#previous, this.#units));
  }

  /** Loads the code of a module, which may wait at its top level. */
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

  /** A component of a host: a promise only where something must be waited for, as there are thousands. */
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

  /** Whether all that a kept component needs from outside is still the very same. */
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
