/**
 * One attempt to apply a document. The build reuses components of the current generation whose node and dependencies are unchanged, and
 * provisions the rest.
 *
 * It ends with a commit or an abort. Until the commit, the current generation is not modified.
 */
import { isObject, own, taskOf, unawaited, type Json, type JsonObject, type Logger } from '@sluice/base';
import {
  apps,
  type AppToken,
  type CanaryTraffic,
  type Disposer,
  type ModuleDescriptor,
  type Roles,
  type Token,
} from '@sluice/registry';
import {
  missingIn,
  type BuildHost,
  type BuildStart,
  type Committed,
  type StartedCanary,
  type Units,
} from './build-start.ts';
import type { Component } from './component.ts';
import { ComponentBuilder } from './component-builder.ts';
import { disposeAll, leaveHooksOf } from './disposal.ts';
import { checkReference, findModule } from './hosted-module.ts';
import { LifecycleHooks } from './lifecycle-hooks.ts';
import { PendingWork } from './pending-work.ts';
import type { Provisioner } from './provision-context.ts';
import { absent, appNames, appNode, rootOf } from './top-level.ts';
import { UnitWaits } from './unit-waits.ts';

/** Builds a generation of components. Only the runtime creates and controls builds. */
export class Build implements Provisioner {
  readonly hooks: LifecycleHooks;
  readonly components: ComponentBuilder;
  readonly #host: BuildHost;
  #config: Json;
  #units = new Map<string, Component>();
  #previous: Units;
  readonly #force: boolean;
  /** First epoch whose requests may use the components of this build. */
  readonly since: number;
  readonly isCanary: boolean;
  #pending = new Map<string, Promise<Component>>();
  readonly #waits = new UnitWaits();
  #finished = false;

  constructor(host: BuildHost, { config, previous, force, since, isCanary = false }: BuildStart) {
    this.#host = host;
    const pendingWork = new PendingWork(host.provisionTimeout, host.roles.control || !host.roles.traffic);
    this.hooks = new LifecycleHooks(host, pendingWork);
    this.components = new ComponentBuilder({ host, build: this, pendingWork, since });
    this.#config = config;
    this.#previous = previous;
    this.#force = force;
    this.since = since;
    this.isCanary = isCanary;
  }

  /** Apps and sections of this build; empty after the commit. */
  get units(): Units {
    return this.#units;
  }

  get roles(): Roles {
    return this.#host.roles;
  }

  /** True once this build has been committed or aborted. */
  get finished(): boolean {
    return this.#finished;
  }

  get log(): Logger {
    return this.#host.log;
  }

  release(dispose: Disposer): void {
    unawaited(
      taskOf('reconciler'),
      disposeAll([dispose], (error) => this.components.notDisposed(error)),
    );
  }

  /** Returns a service of the current thread. */
  service(token: Token<unknown>): unknown {
    return this.#host.services.get(token);
  }

  /** Provisions all sections and apps in the document, then runs the start hooks. */
  async run(): Promise<void> {
    const sections = this.#host.registry.sections();
    const root = rootOf(this.#config, sections);
    for (const descriptor of sections.values()) await this.#section(descriptor, root);
    for (const name of appNames(root)) await this.#unit(name);
    if (this.roles.control || this.roles.traffic) await this.hooks.start();
  }

  /** Reports whether an app is registered, even if it is not configured. */
  hasApp(name: string): boolean {
    return this.#host.registry.find(apps, name) !== undefined;
  }

  /**
   * Returns the instance of an app. If the app is not configured and `always` is true, creates the app with empty options. If `always` is
   * false, returns `null` for such an app.
   */
  async app(token: AppToken<unknown>, always: boolean, from: string): Promise<unknown> {
    const section = this.#host.registry.sections().get(token.name);
    if (section === undefined && !always && appNode(this.#config, token.name) === undefined) return null;
    this.#waits.add(from, section === undefined ? `apps/${token.name}` : token.name);
    const root = isObject(this.#config) ? this.#config : absent;
    return (await (section === undefined ? this.#unit(token.name) : this.#section(section, root))).instance;
  }

  /**
   * Transfers ownership of kept components to this build and returns the dropped components. Other threads may already have activated the
   * change, so hook errors are logged and the commit continues.
   */
  commit(): Committed {
    this.#finished = true;
    this.components.commit();
    this.hooks.commit();
    const committed = { config: this.#config, units: this.#units, dropped: missingIn(this.#units, this.#previous) };
    this.#release();
    return committed;
  }

  /**
   * Starts this build as a canary instead of committing it. Requests reach the new components while the previous generation remains active
   * and keeps ownership of shared components.
   */
  startCanary(traffic: CanaryTraffic): StartedCanary {
    this.#finished = true;
    const ends = this.hooks.startCanary(traffic);
    const started = { units: this.#units, made: missingIn(this.#previous, this.#units), ends };
    this.#release();
    return started;
  }

  /**
   * Clears the fields of this build. Modules may keep contexts that reference the build, and these must not keep entire configurations in
   * memory.
   */
  #release(): void {
    this.#config = null;
    this.#previous = this.#units = new Map();
    this.#pending = new Map();
    this.hooks.release();
  }

  /**
   * Runs the leave hooks of dropped components, which may delay activation. Never rejects. Errors are logged, because a dropped component
   * must not prevent other threads from activating the prepared change.
   */
  async leave(): Promise<void> {
    await this.hooks.leave(
      [...this.#previous].flatMap(([name, component]) => leaveHooksOf(component, this.units.get(name))),
    );
  }

  /** Releases everything that this build created, in reverse order. */
  async abort(): Promise<void> {
    this.#finished = true;
    await this.components.discard(missingIn(this.#previous, this.#units));
  }

  async #unit(name: string): Promise<Component> {
    const node = appNode(this.#config, name) ?? absent;
    const found = findModule(this.#host.registry, apps, name, () => `apps.${name}`);
    const descriptor = found.loaded ?? (await this.components.load(found, `apps.${name}`));
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
    const component = await this.components.unit(unit, descriptor, node, { at, replaced });
    this.#units.set(unit, component);
    return component;
  }
}
