/**
 * Builds the components of modules, structures and lists. Keeps components whose node and dependencies are unchanged, and provisions the
 * rest.
 */
import { itemAt, located, type Json, type JsonArray } from '@sluice/base';
import type { AppToken, KnownModule, LoadedList, ModuleDescriptor, Namespace } from '@sluice/registry';
import type { Blueprint, BuildHost } from './build-start.ts';
import { Component, isUnchanged, ListComponent, positionKey, shareNeedsWithKind } from './component.ts';
import { disposeNow } from './disposal.ts';
import { Handover } from './handover.ts';
import { findModule, loadModule, provisionModule } from './hosted-module.ts';
import { fillList } from './list-elements.ts';
import type { PendingWork } from './pending-work.ts';
import {
  ProvisionContext,
  type AnyProvision,
  type ComponentLoader,
  type NamedNode,
  type Place,
  type Provisioner,
} from './provision-context.ts';
import { runProvision } from './run-provision.ts';

/** Parts of the build that a component builder uses. */
export interface ComponentBuilderOptions {
  readonly host: BuildHost;
  readonly build: Provisioner;
  readonly pendingWork: PendingWork;
  /** First epoch whose requests may use the new components. */
  readonly since: number;
}

export class ComponentBuilder implements ComponentLoader {
  readonly #host: BuildHost;
  readonly #build: Provisioner;
  readonly #pendingWork: PendingWork;
  readonly #since: number;
  #handover = new Handover();

  constructor({ host, build, pendingWork, since }: ComponentBuilderOptions) {
    this.#host = host;
    this.#build = build;
    this.#pendingWork = pendingWork;
    this.#since = since;
  }

  module(host: ProvisionContext, of: Namespace<unknown>, named: NamedNode, at: Place): Component | Promise<Component> {
    const found = findModule(this.#host.registry, of, named.name, () => host.where(...at));
    if (found.loaded !== null) return this.#hosted(host, found.loaded, named, at);
    const loading = this.load(found, host.where(...at));
    return loading.then((descriptor) => this.#hosted(host, descriptor, named, at));
  }

  #hosted(
    host: ProvisionContext,
    descriptor: ModuleDescriptor,
    { node, nameKey }: NamedNode,
    at: Place,
  ): Component | Promise<Component> {
    const provision = (context: ProvisionContext): unknown =>
      provisionModule({ descriptor, node, nameKey, check: this.#host.check }, context);
    return this.#child(host, at, { kind: descriptor, node, moduleId: descriptor.id, provision });
  }

  async structure(host: ProvisionContext, node: Json, provision: AnyProvision, at: Place): Promise<Component> {
    const make = (context: ProvisionContext): unknown => provision(node, context);
    return this.#child(host, at, { kind: provision, node, moduleId: null, provision: make });
  }

  async list(
    host: ProvisionContext,
    nodes: JsonArray,
    provision: AnyProvision,
    at: Place,
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
    const origin = { kind: provision, since: this.#since, moduleId: null };
    const list = new ListComponent({ ...origin, key, node: nodes, owner: parent });
    const { splice, made, departed } = await fillList(list, old, sameNeeds, {
      isUnchanged: (element) => this.#unchanged(element, host),
      make: (i, replaced) => {
        const node = itemAt(nodes, i);
        const component = new Component({ ...origin, key: '', node, owner: null });
        const context = new ProvisionContext(this.#build, { component, host, at: at.concat(i), replaced });
        return this.#run(context, (inner) => provision(node, inner));
      },
      discard: (elements) => this.discard(elements),
    });
    this.#handover.filled(list, made);
    if (old !== null) this.#handover.replaced(old, departed);
    parent.adopt(list);
    return { items: list.instances, previous: sameNeeds ? old.instances : null, splice: sameNeeds ? splice : null };
  }

  async unit(
    key: string,
    descriptor: ModuleDescriptor,
    node: Json,
    { at, replaced }: { readonly at: readonly string[]; readonly replaced: Component | null },
  ): Promise<Component> {
    const component = new Component({
      key,
      kind: descriptor,
      node,
      since: this.#since,
      moduleId: descriptor.id,
      owner: null,
    });
    const context = new ProvisionContext(this.#build, { component, host: null, at, replaced });
    if (
      replaced !== null &&
      replaced.node === node &&
      replaced.kind === descriptor &&
      (await this.#unchanged(replaced, context))
    )
      return replaced;
    const { check } = this.#host;
    return this.#run(context, (inner) => provisionModule({ descriptor, node, nameKey: null, check }, inner));
  }

  /** Loads the code of a module. The code may contain a top-level `await`. */
  async load(module: KnownModule, where: string): Promise<ModuleDescriptor> {
    const pending = this.#pendingWork;
    try {
      return await pending.within(loadModule(this.#host.registry, module, where), () =>
        pending.lateError('code', module.id),
      );
    } catch (error) {
      throw located(error, where);
    }
  }

  /** Transfers ownership of kept components to this build. */
  commit(): void {
    this.#handover.commit();
    this.#handover = new Handover();
  }

  /** Disposes of components that were never available to requests. */
  discard(components: readonly Component[]): Promise<void> {
    return disposeNow(components, (error) => this.notDisposed(error));
  }

  notDisposed(error: unknown): void {
    this.#build.log.error('failed to clean up a configuration that was not applied', { error });
  }

  /**
   * Returns a child component of a host. Returns a promise only if provisioning is asynchronous, because a host may have thousands of
   * components.
   */
  #child(host: ProvisionContext, at: Place, blueprint: Blueprint): Component | Promise<Component> {
    const old = host.replaced?.child(positionKey(at)) ?? null;
    if (old !== null && old.node === blueprint.node && old.kind === blueprint.kind)
      return this.#keepOrMake(host, at, blueprint, old);
    return this.#make(host, at, blueprint, old);
  }

  async #keepOrMake(host: ProvisionContext, at: Place, blueprint: Blueprint, old: Component): Promise<Component> {
    if (!(await this.#unchanged(old, host))) return this.#make(host, at, blueprint, old);
    this.#handover.keep(old, host.component);
    return old;
  }

  #make(
    host: ProvisionContext,
    at: Place,
    { kind, node, moduleId, provision }: Blueprint,
    old: Component | null,
  ): Component | Promise<Component> {
    const owner = host.component;
    const component = new Component({ key: positionKey(at), kind, node, since: this.#since, moduleId, owner });
    const replaced = old?.kind === kind ? old : null;
    const made = this.#run(new ProvisionContext(this.#build, { component, host, at, replaced }), provision);
    const adopt = (child: Component): Component => {
      shareNeedsWithKind(child);
      return owner.adopt(child);
    };
    return made instanceof Promise ? made.then(adopt) : adopt(made);
  }

  #run(context: ProvisionContext, provision: (context: ProvisionContext) => unknown): Component | Promise<Component> {
    return runProvision(context, provision, {
      pending: this.#pendingWork,
      failed: (error) => this.#failed(context, error),
    });
  }

  async #failed(context: ProvisionContext, error: unknown): Promise<never> {
    context.abandon();
    await this.discard([context.component]);
    throw located(this.#build.hooks.blamed(error, context.moduleId), context.where());
  }

  /** Reports whether all external dependencies of a component are unchanged. */
  #unchanged(component: Component, host: ProvisionContext): Promise<boolean> {
    return isUnchanged(component, (token, value) =>
      'app' in token ? this.#build.app(token as AppToken<unknown>, value !== null, host.unit) : host.lookUp(token),
    );
  }
}
