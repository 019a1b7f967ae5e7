/**
 * Translates Ingresses whenever objects change. An event is traced to the Ingresses and hosts that depend on it; only
 * these are translated again.
 */
import { messageOf, taskOf, unawaited, type Logger } from '@sluice/base';
import type { Fragment, FragmentResults, ProviderHost } from '@sluice/providers-app/contract';
import type { KubeClient } from '../api/client.ts';
import { StatusWriter } from '../api/status-writer.ts';
import { FragmentQueue } from '../fragment-queue.ts';
import { ReferenceIndex } from '../reference-index.ts';
import { Annotations } from './annotations/reader.ts';
import { classNameOf, isOwn } from './classes.ts';
import { IngressCluster, ingressApi } from './cluster.ts';
import { EventWriter } from './events.ts';
import { readSnippet, snippetConfiguration } from './handlers/snippets.ts';
import { translateHost } from './host.ts';
import { IngressIndex } from './index-of-ingresses.ts';
import type { Ingress, IngressView, Snippet } from './objects.ts';
import { ingressTargets } from './scope.ts';
import { baseFragment } from './servers.ts';
import type { IngressSettings } from './settings.ts';
import { addressesFor, statusPatch } from './status.ts';
import { translateIngress } from './translate.ts';

export interface IngressControllerOptions {
  readonly controllerName: string;
  readonly settings: IngressSettings;
  /** Addresses for the status of Ingresses. */
  readonly published: readonly string[];
  /** Service with the addresses for the status, as `namespace/name`; empty = none. */
  readonly publishedService: string;
  /** Reports whether this replica writes status and events. */
  readonly isLeader: () => boolean;
}

/** Result of the translation of an Ingress, a host, or the base. */
interface Unit {
  readonly fragments: ReadonlyMap<string, Fragment>;
  readonly dependsOn: ReadonlySet<string>;
  /** Warnings by Ingress. */
  readonly warnings: ReadonlyMap<string, readonly string[]>;
}

const base = 'base';
const noFragments: ReadonlyMap<string, Fragment> = new Map();

export class IngressController {
  readonly #options: IngressControllerOptions;
  readonly #host: ProviderHost;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #cluster: IngressCluster;
  readonly #index: IngressIndex;
  readonly #view: IngressView;
  readonly #queue: FragmentQueue;
  readonly #writer: StatusWriter;
  readonly #events: EventWriter;
  readonly #units = new Map<string, Unit>();
  readonly #dependents = new ReferenceIndex();
  readonly #byClass = new ReferenceIndex();
  readonly #snippets = new Map<string, Snippet | null>();
  readonly #dirty = new Set<string>([base]);
  /** Units that reference objects that have not been read yet. */
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
    this.#writer = new StatusWriter(client, host.log, signal);
    this.#events = new EventWriter(client, host.log, signal);
    this.#queue = new FragmentQueue(
      (changes) => {
        host.update(changes);
      },
      (owners) => {
        for (const owner of owners) this.#touchIngressesOf(owner);
        this.#schedule();
      },
    );
    this.#cluster = new IngressCluster(client, {
      onClass: (key) => {
        for (const each of [...this.#byClass.dependentsOf(key), ...this.#byClass.dependentsOf('')]) this.#reindex(each);
      },
      onIngress: (key, ingress, previous) => {
        this.#byClass.set(key, new Set(ingress === null ? [] : [classNameOf(ingress)]));
        if (ingress === null || previous === null || !isSame(ingress, previous)) this.#reindex(key);
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
    this.#view = this.#makeView();
  }

  /** Lists all objects, and passes their configuration to the host. Rejects if the API server is unavailable. */
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

  /** Compares the status of all Ingresses: this replica has become the leader, or the addresses changed. */
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
      snippet: (text) => this.#snippets.get(text) ?? null,
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
    this.#dirty.add(`ingress/${key}`);
    for (const host of hosts) this.#dirty.add(`host/${host}`);
    for (const target of targets) this.#onTarget(target);
    this.#schedule();
  }

  #onTarget(target: string): void {
    for (const unit of this.#dependents.dependentsOf(target)) this.#dirty.add(unit);
    if (target === ingressTargets.service(this.#options.publishedService)) this.writeAllStatus();
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    if (!this.#isStarted) {
      this.#onIdle?.();
      return;
    }
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#translate();
      this.#queue.flush();
      this.#writeStatus();
    });
  }

  /** Translates all units. Those that reference Secrets are translated again when these have been read. */
  async #translateUntilIdle(): Promise<void> {
    while (!this.#signal.aborted) {
      this.#translate();
      if (this.#dirty.size === 0 && this.#waiting.size === 0) return;
      if (this.#dirty.size === 0) await this.#nextChange();
    }
  }

  #nextChange(): Promise<void> {
    return new Promise((resolve) => {
      this.#onIdle = resolve;
      this.#signal.addEventListener(
        'abort',
        () => {
          resolve();
        },
        { once: true },
      );
    });
  }

  #translate(): void {
    const dirty = [...this.#dirty];
    this.#dirty.clear();
    for (const id of dirty) {
      let unit: Unit | null = null;
      try {
        unit = this.#translateUnit(id);
      } catch (error) {
        // An object that can't be translated must not hold back others.
        this.#log.error('failed to translate an Ingress', { unit: id, error });
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

  #translateUnit(id: string): Unit | null {
    const { settings } = this.#options;
    if (id === base) return this.#translateBase();
    const name = id.slice(id.indexOf('/') + 1);
    if (id.startsWith('host/')) {
      const { fragments, dependsOn, warnings } = translateHost(name, this.#view, settings);
      return { fragments: prefixed(id, fragments), dependsOn, warnings };
    }
    const ingress = this.#index.get(name);
    if (ingress === undefined) return null;
    const { fragments, dependsOn, warnings, refused } = translateIngress(ingress, this.#view, settings);
    const all = refused === null ? warnings : [`refused, its paths respond with 503: ${refused}`, ...warnings];
    return { fragments: prefixed(id, fragments), dependsOn, warnings: new Map([[name, all]]) };
  }

  #translateBase(): Unit {
    const dependsOn = new Set<string>();
    const ingress: Ingress = { metadata: { name: '' }, spec: {} };
    const { settings } = this.#options;
    const annotations = new Annotations(ingress, settings.prefix);
    const fragment = baseFragment({ ingress, namespace: '', annotations, view: this.#view, settings, dependsOn });
    for (const warning of annotations.warnings) this.#log.warn('invalid default of Ingresses', { warning });
    return { fragments: new Map([[base, fragment]]), dependsOn, warnings: new Map() };
  }

  #depend(id: string, targets: ReadonlySet<string>): void {
    const former = this.#dependents.targetsOf(id);
    this.#dependents.set(id, targets);
    for (const target of targets) {
      this.#cluster.watch(target, this.#signal);
      if (target.startsWith('snippet/')) this.#adapt(target.slice('snippet/'.length));
    }
    for (const target of former) {
      if (targets.has(target) || this.#dependents.dependentsOf(target).size > 0) continue;
      this.#cluster.forget(target);
      if (target.startsWith('snippet/')) this.#snippets.delete(target.slice('snippet/'.length));
    }
  }

  #isPending(target: string): boolean {
    if (target.startsWith('snippet/')) return (this.#snippets.get(target.slice('snippet/'.length)) ?? null) === null;
    return this.#cluster.isPending(target);
  }

  #adapt(text: string): void {
    if (this.#snippets.has(text)) return;
    this.#snippets.set(text, null);
    const adapted = this.#host.adapt('nginx', snippetConfiguration(text)).then(readSnippet, (error: unknown) => ({
      handlers: [],
      error: messageOf(error),
    }));
    const done = adapted.then((snippet) => {
      if (this.#snippets.has(text)) this.#snippets.set(text, snippet);
      this.#onTarget(ingressTargets.snippet(text));
    });
    unawaited(taskOf('sluice.providers.ingress'), done);
  }

  #touchIngressesOf(unit: string): void {
    if (unit.startsWith('ingress/')) this.#dirtyStatus.add(unit.slice('ingress/'.length));
  }

  /** Writes status and events of Ingresses whose configuration is in effect. */
  #writeStatus(): void {
    if (!this.#options.isLeader()) {
      this.#dirtyStatus.clear();
      return;
    }
    for (const key of this.#dirtyStatus) {
      const id = `ingress/${key}`;
      if (!this.#queue.isSettled(id) || this.#waiting.has(id)) continue;
      this.#dirtyStatus.delete(key);
      const ingress = this.#index.get(key);
      if (ingress === undefined) continue;
      this.#events.warn(ingress, this.#warningsOf(ingress, key));
      const [namespace = '', name = ''] = key.split('/');
      this.#writer.write(`${ingressApi}/namespaces/${namespace}/ingresses/${name}/status`, () => {
        const current = this.#index.get(key);
        return current === undefined ? null : statusPatch(current, this.#addresses());
      });
    }
  }

  #addresses(): ReturnType<typeof addressesFor> {
    const { published, publishedService } = this.#options;
    return publishedService === '' ? addressesFor(published) : this.#cluster.addressesOf(publishedService);
  }

  #warningsOf(ingress: Ingress, key: string): ReadonlySet<string> {
    const unit = this.#units.get(`ingress/${key}`);
    const rejected = [...(unit?.fragments.keys() ?? [])].flatMap((each) => this.#queue.rejected.get(each) ?? []);
    const hosts = new Set((ingress.spec.rules ?? []).map(({ host = '' }) => host.toLowerCase()));
    return new Set([
      ...(unit?.warnings.get(key) ?? []),
      ...[...hosts].flatMap((host) => this.#units.get(`host/${host}`)?.warnings.get(key) ?? []),
      ...rejected.map((error) => `refused by the server: ${error}`),
    ]);
  }
}

function prefixed(id: string, fragments: ReadonlyMap<string, Fragment>): ReadonlyMap<string, Fragment> {
  return new Map([...fragments].map(([rest, fragment]) => [`${id}/${rest}`, fragment]));
}

/** Reports whether only the status differs. Annotations have no effect on the generation. */
function isSame(one: Ingress, other: Ingress): boolean {
  return (
    one.metadata.generation === other.metadata.generation &&
    one.metadata.uid === other.metadata.uid &&
    JSON.stringify(one.metadata.annotations) === JSON.stringify(other.metadata.annotations)
  );
}
