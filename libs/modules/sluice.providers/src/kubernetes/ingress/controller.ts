/** Translates Ingresses to configuration after each change. For each event, retranslates only the dependent Ingresses and hosts. */
import { guarded, taskOf, type Logger } from '@sluice/base';
import type { Fragment, FragmentResults, ProviderHost } from '@sluice/providers-app/contract';
import type { KubeClient } from '../api/client.ts';
import { aborted } from '../api/lease.ts';
import { StatusWriter } from '../api/status-writer.ts';
import { FragmentQueue } from '../fragment-queue.ts';
import { ReferenceIndex } from '../reference-index.ts';
import { classNameOf, isOwn } from './classes.ts';
import { IngressCluster, ingressApi } from './cluster.ts';
import { EventWriter } from './events.ts';
import { IngressIndex } from './index-of-ingresses.ts';
import { hasSameSpec, type IngressView } from './objects.ts';
import { ingressTargets, snippetIn } from './scope.ts';
import type { IngressSettings } from './settings.ts';
import { SnippetCache } from './snippet-cache.ts';
import { addressesFor, statusPatch } from './status.ts';
import { ingressOf, refusing, translateBase, translateUnit, unitIds, type Unit, type UnitContext } from './units.ts';

export interface IngressControllerOptions {
  readonly controllerName: string;
  readonly settings: IngressSettings;
  /** Addresses to publish in the status of Ingresses. */
  readonly published: readonly string[];
  /** Service whose addresses are published in the status, as `namespace/name`. Empty if no Service is used. */
  readonly publishedService: string;
  /** Reports whether this replica is the leader, which writes status and events. */
  readonly isLeader: () => boolean;
}

const noFragments: ReadonlyMap<string, Fragment> = new Map();

export class IngressController {
  readonly #options: IngressControllerOptions;
  readonly #host: ProviderHost;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #cluster: IngressCluster;
  readonly #index: IngressIndex;
  readonly #queue: FragmentQueue;
  readonly #writer: StatusWriter;
  readonly #events: EventWriter;
  readonly #units = new Map<string, Unit>();
  readonly #dependents = new ReferenceIndex();
  readonly #byClass = new ReferenceIndex();
  readonly #snippets: SnippetCache;
  readonly #context: UnitContext;
  readonly #dirty = new Set<string>([unitIds.base]);
  /** IDs of units that reference objects that have not been read yet. */
  readonly #waiting = new Set<string>();
  readonly #dirtyStatus = new Set<string>();
  #isStarted = false;
  #isScheduled = false;
  #onIdle: (() => void) | null = null;

  constructor(options: IngressControllerOptions, client: KubeClient, host: ProviderHost, signal: AbortSignal) {
    this.#options = options;
    this.#host = host;
    this.#log = host.log;
    this.#signal = signal;
    this.#index = new IngressIndex(options.settings.prefix);
    this.#writer = new StatusWriter(client, host.log, options.isLeader, signal);
    this.#events = new EventWriter(client, host.log, signal);
    this.#queue = new FragmentQueue(
      (changes) => {
        host.update(changes);
      },
      (owners, recovered) => {
        // Translate the Ingress again, to replace the fragments that respond with 503.
        for (const owner of recovered) this.#dirty.add(owner);
        for (const owner of owners) {
          this.#refuseRejected(owner);
          this.#touchIngressesOf(owner);
        }
        this.#schedule();
      },
    );
    this.#cluster = new IngressCluster(client, {
      onClass: (key) => {
        for (const each of [...this.#byClass.dependentsOf(key), ...this.#byClass.dependentsOf('')]) this.#reindex(each);
      },
      onIngress: (key, ingress, previous) => {
        this.#byClass.set(key, new Set(ingress === null ? [] : [classNameOf(ingress)]));
        if (ingress === null || previous === null || !hasSameSpec(ingress, previous)) this.#reindex(key);
        else if (this.#index.get(key) !== undefined) this.#index.set(key, ingress);
        this.#dirtyStatus.add(key);
        this.#schedule();
      },
      onTarget: (target) => {
        this.#onTarget(target);
      },
      onState: (error) => {
        if (this.#isStarted) host.report(error);
      },
    });
    this.#snippets = new SnippetCache(
      (configuration) => host.adapt('nginx', configuration),
      (text) => {
        this.#onTarget(ingressTargets.snippet(text));
      },
    );
    this.#context = {
      view: this.#makeView(),
      settings: options.settings,
      ingress: (key) => this.#index.get(key),
    };
  }

  /** Lists all objects and passes the resulting configuration to the host. Rejects if the API server is unavailable. */
  async start(): Promise<void> {
    await this.#cluster.start(this.#signal);
    await this.#translateUntilIdle();
    if (this.#signal.aborted) return;
    this.#isStarted = true;
    this.#host.replace(this.#queue.takeAll());
    this.#schedule();
  }

  applied(results: FragmentResults): void {
    this.#queue.settle(results);
  }

  /** Updates the status of all Ingresses. Called after this replica becomes the leader, and after the addresses change. */
  writeAllStatus(): void {
    for (const key of this.#index.keys) this.#dirtyStatus.add(key);
    this.#schedule();
  }

  #makeView(): IngressView {
    const [cluster, index] = [this.#cluster, this.#index];
    return {
      service: (key) => cluster.service(key),
      slicesOf: (key) => cluster.slicesOf(key),
      secret: (key) => cluster.secret(key),
      configMap: (key) => cluster.configMap(key),
      snippet: (text) => this.#snippets.get(text),
      claimants: (claim) => index.claimants(claim),
      ingressesOf: (host) => index.ingressesOf(host),
      isHost: (host) => index.isHost(host),
      usesExpressions: (host) => index.usesExpressions(host),
    };
  }

  #reindex(key: string): void {
    const ingress = this.#cluster.ingresses.get(key);
    const own =
      ingress !== undefined && isOwn(ingress, this.#cluster.classes, this.#options.controllerName) ? ingress : null;
    if (own === null && this.#index.get(key) === undefined) return;
    const { targets, hosts } = this.#index.set(key, own);
    if (own === null) this.#events.forget(key);
    this.#dirty.add(unitIds.ingress(key));
    for (const host of hosts) this.#dirty.add(unitIds.host(host));
    for (const target of targets) this.#onTarget(target);
    this.#schedule();
  }

  #onTarget(target: string): void {
    for (const unit of this.#dependents.dependentsOf(target)) this.#dirty.add(unit);
    if (target === ingressTargets.service(this.#options.publishedService)) this.writeAllStatus();
    this.#schedule();
  }

  readonly #process = guarded(taskOf('sluice.providers.ingress'), () => {
    this.#isScheduled = false;
    this.#translate();
    this.#queue.flush();
    this.#writeStatus();
  });

  #schedule(): void {
    if (this.#isScheduled) return;
    if (!this.#isStarted) {
      this.#onIdle?.();
      return;
    }
    this.#isScheduled = true;
    setImmediate(this.#process);
  }

  /** Translates all units. When referenced Secrets have been read, translates the dependent units again. */
  async #translateUntilIdle(): Promise<void> {
    while (!this.#signal.aborted) {
      this.#translate();
      if (this.#dirty.size === 0 && this.#waiting.size === 0) return;
      if (this.#dirty.size === 0) await this.#nextChange();
    }
  }

  #nextChange(): Promise<void> {
    const changed = new Promise<void>((resolve) => {
      this.#onIdle = resolve;
    });
    return Promise.race([changed, aborted(this.#signal)]);
  }

  #translate(): void {
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const id of dirty) {
      let unit: Unit | null = null;
      try {
        unit = id === unitIds.base ? translateBase(this.#context, this.#log) : translateUnit(id, this.#context);
      } catch (error) {
        // An error in one object must not delay other objects.
        this.#log.error('failed to convert an Ingress', { unit: id, error });
      }
      this.#depend(id, unit?.dependsOn ?? new Set());
      const isPending = [...(unit?.dependsOn ?? [])].some((target) => this.#isPending(target));
      if (isPending) {
        this.#waiting.add(id);
        continue;
      }
      this.#waiting.delete(id);
      const previous = this.#units.get(id);
      this.#queue.set(id, previous?.fragments.keys() ?? [], unit?.fragments ?? noFragments);
      if (unit === null || (unit.fragments.size === 0 && unit.dependsOn.size === 0)) this.#units.delete(id);
      else this.#units.set(id, unit);
      for (const key of [...(previous?.warnings.keys() ?? []), ...(unit?.warnings.keys() ?? [])])
        this.#dirtyStatus.add(key);
      this.#touchIngressesOf(id);
    }
  }

  #depend(id: string, targets: ReadonlySet<string>): void {
    const former = this.#dependents.targetsOf(id);
    this.#dependents.set(id, targets);
    for (const target of targets) {
      this.#cluster.watch(target, this.#signal);
      const snippet = snippetIn(target);
      if (snippet !== null) this.#snippets.want(snippet);
    }
    for (const target of former) {
      if (targets.has(target) || this.#dependents.dependentsOf(target).size > 0) continue;
      this.#cluster.forget(target);
      const snippet = snippetIn(target);
      if (snippet !== null) this.#snippets.forget(snippet);
    }
  }

  #isPending(target: string): boolean {
    const snippet = snippetIn(target);
    if (snippet !== null) return this.#snippets.get(snippet) === null;
    return this.#cluster.isPending(target);
  }

  #refuseRejected(id: string): void {
    const unit = this.#units.get(id);
    const refused = unit === undefined ? null : refusing(id, unit, this.#queue.rejected);
    if (unit === undefined || refused === null) return;
    this.#queue.set(id, unit.fragments.keys(), refused.fragments);
    this.#units.set(id, refused);
  }

  #touchIngressesOf(unit: string): void {
    const key = ingressOf(unit);
    if (key !== null) this.#dirtyStatus.add(key);
  }

  /** Writes status and events of Ingresses whose configuration has been applied. */
  #writeStatus(): void {
    if (!this.#options.isLeader()) {
      this.#dirtyStatus.clear();
      return;
    }
    for (const key of this.#dirtyStatus) {
      if (!this.#isSettled(key)) continue;
      this.#dirtyStatus.delete(key);
      const ingress = this.#index.get(key);
      if (ingress === undefined) continue;
      this.#events.warn(ingress, this.#warningsOf(key));
      const [namespace = '', name = ''] = key.split('/');
      this.#writer.write(`${ingressApi}/namespaces/${namespace}/ingresses/${name}/status`, () => {
        const current = this.#index.get(key);
        return current === undefined ? null : statusPatch(current, this.#addresses());
      });
    }
  }

  /** Reports whether the configuration of an Ingress and its hosts has been applied. */
  #isSettled(key: string): boolean {
    const units = [unitIds.ingress(key), ...[...this.#index.hostsOf(key)].map((host) => unitIds.host(host))];
    return units.every((id) => this.#queue.isSettled(id) && !this.#waiting.has(id));
  }

  #addresses(): ReturnType<typeof addressesFor> {
    const { published, publishedService } = this.#options;
    return publishedService === '' ? addressesFor(published) : this.#cluster.addressesOf(publishedService);
  }

  #warningsOf(key: string): ReadonlySet<string> {
    return new Set([
      ...(this.#units.get(unitIds.ingress(key))?.warnings.get(key) ?? []),
      ...[...this.#index.hostsOf(key)].flatMap((host) => this.#units.get(unitIds.host(host))?.warnings.get(key) ?? []),
    ]);
  }
}
