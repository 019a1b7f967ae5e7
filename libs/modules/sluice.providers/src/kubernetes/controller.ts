/**
 * Translates the objects of a cluster whenever they change. An event is traced to its dependent objects; only these are translated again.
 */
import { jsonEqual, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import type { Fragment, FragmentResults, ProviderHost } from '@sluice/providers-app/contract';
import { Cluster, gatewayApi } from './cluster.ts';
import { FragmentQueue } from './fragment-queue.ts';
import { ReferenceIndex } from './reference-index.ts';
import type { KubeClient } from './api/client.ts';
import { StatusWriter } from './api/status-writer.ts';
import { assignAddresses, type Assignment } from './gateway/addresses.ts';
import { translateRoute, type TranslatedRoute } from './gateway/http-route.ts';
import type { Listener } from './gateway/listener.ts';
import { listenerFragments } from './gateway/listener-fragments.ts';
import { listenersOf } from './gateway/listeners.ts';
import { classPatch, gatewayPatch, routePatch } from './gateway/status.ts';
import { type Gateway, type KubeObject } from './objects.ts';
import { targets } from './gateway/cluster-view.ts';

export interface ControllerOptions {
  readonly controllerName: string;
  /** Server addresses, of which each Gateway gets one; empty = Gateways share all addresses. */
  readonly addresses: readonly string[];
  /** Addresses for the status of Gateways that share all addresses. */
  readonly published: readonly string[];
  /** Reports whether this replica writes status. */
  readonly isLeader: () => boolean;
}

interface GatewayEntry {
  readonly assignment: Assignment;
  readonly fragments: ReadonlyMap<string, Fragment>;
}

const gatewayId = (key: string): string => `gateway/${key}`;
const routeId = (key: string): string => `httproute/${key}`;

export class Controller {
  readonly #options: ControllerOptions;
  readonly #host: ProviderHost;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  readonly #cluster: Cluster;
  readonly #queue: FragmentQueue;
  readonly #writer: StatusWriter;
  readonly #dependents = new ReferenceIndex();
  readonly #attached = new ReferenceIndex();
  readonly #gateways = new Map<string, GatewayEntry>();
  readonly #routes = new Map<string, TranslatedRoute>();
  readonly #dirtyRoutes = new Set<string>();
  /** Objects whose status may be outdated, by ID. */
  readonly #dirtyStatus = new Set<string>();
  #areGatewaysDirty = true;
  #isStarted = false;
  #isScheduled = false;

  constructor(options: ControllerOptions, client: KubeClient, host: ProviderHost, signal: AbortSignal) {
    this.#options = options;
    this.#host = host;
    this.#log = host.log;
    this.#signal = signal;
    this.#writer = new StatusWriter(client, host.log, signal);
    this.#queue = new FragmentQueue(
      (changes) => {
        host.update(changes);
      },
      (owners) => {
        for (const owner of owners) this.#dirtyStatus.add(owner);
        this.#schedule();
      },
    );
    this.#cluster = new Cluster(client, {
      onClass: (key) => {
        this.#areGatewaysDirty = true;
        this.#touch(`class/${key}`);
      },
      onGateway: (key, gateway, previous) => {
        if (isNewer(gateway, previous)) this.#areGatewaysDirty = true;
        this.#touch(gatewayId(key));
      },
      onRoute: (key, route, previous) => {
        if (isNewer(route, previous)) this.#dirtyRoutes.add(key);
        this.#touch(routeId(key));
      },
      onTarget: (target) => {
        for (const id of this.#dependents.dependentsOf(target)) {
          if (id.startsWith('gateway/')) this.#areGatewaysDirty = true;
          else this.#dirtyRoutes.add(id.slice('httproute/'.length));
        }
        this.#schedule();
      },
      onState: (error) => {
        if (this.#isStarted) host.report(error);
      },
    });
  }

  /** Lists all objects, and passes their configuration to the host. Rejects if the API server is unavailable. */
  async start(): Promise<void> {
    await this.#cluster.start(this.#signal);
    await this.#translateGateways();
    this.#translateRoutes();
    this.#isStarted = true;
    const all = this.#queue.takeAll();
    this.#host.replace(all);
    if (all.size === 0) this.#queue.settle(new Map());
    this.#schedule();
  }

  applied(results: FragmentResults): void {
    this.#queue.settle(results);
  }

  /** Compares the status of all objects. Called when this replica becomes the leader. */
  writeAllStatus(): void {
    for (const key of this.#cluster.classes.keys()) this.#dirtyStatus.add(`class/${key}`);
    for (const key of this.#gateways.keys()) this.#dirtyStatus.add(gatewayId(key));
    for (const key of this.#routes.keys()) this.#dirtyStatus.add(routeId(key));
    this.#schedule();
  }

  #touch(id: string): void {
    this.#dirtyStatus.add(id);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled || !this.#isStarted) return;
    this.#isScheduled = true;
    setImmediate(() => {
      unawaited(taskOf('sluice.providers.kubernetes'), this.#process());
    });
  }

  async #process(): Promise<void> {
    try {
      if (this.#areGatewaysDirty) await this.#translateGateways();
      if (this.#signal.aborted) return;
      this.#translateRoutes();
      this.#queue.flush();
    } catch (error) {
      this.#log.error('failed to translate objects', { error });
    }
    this.#isScheduled = false;
    if (this.#areGatewaysDirty || this.#dirtyRoutes.size > 0) this.#schedule();
    this.#writeStatus();
  }

  /**
   * Gateways share addresses and ports, so all Gateways are translated if one changes. Routes are translated only if their listeners
   * change.
   */
  async #translateGateways(): Promise<void> {
    this.#areGatewaysDirty = false;
    const own = [...this.#cluster.gateways.values()].filter((gateway) => this.#isOwn(gateway));
    await this.#cluster.watchSecrets(new Set(own.flatMap(secretsOf)), this.#signal);
    const assignments = assignAddresses(own, this.#options.addresses, this.#options.published);
    for (const key of this.#gateways.keys()) if (!assignments.has(key)) this.#removeGateway(key);
    const schemes = new Map<string, string>();
    for (const [key, assignment] of assignments) {
      const gateway = this.#cluster.gateways.get(key);
      if (gateway === undefined) continue;
      const dependsOn = new Set<string>();
      const listeners = listenersOf(gateway, assignment.listen, schemes, {
        namespace: gateway.metadata.namespace ?? '',
        view: this.#cluster,
        dependsOn,
      });
      this.#dependents.set(gatewayId(key), dependsOn);
      const served = assignment.problem === null ? listeners : listeners.map((each) => ({ ...each, isServed: false }));
      const previous = this.#gateways.get(key);
      const fragments = new Map(
        [...listenerFragments(served)].map(([rest, fragment]) => [`${gatewayId(key)}/${rest}`, fragment]),
      );
      this.#queue.set(gatewayId(key), previous?.fragments.keys() ?? [], fragments);
      this.#gateways.set(key, { assignment, fragments });
      this.#dirtyStatus.add(gatewayId(key));
      // Routes are affected only if the listeners differ.
      if (areEqual(this.#cluster.listeners.get(key), served)) continue;
      this.#cluster.listeners.set(key, served);
      this.#markRoutesOf(key);
    }
  }

  #removeGateway(key: string): void {
    this.#queue.set(gatewayId(key), this.#gateways.get(key)?.fragments.keys() ?? [], new Map());
    this.#gateways.delete(key);
    this.#cluster.listeners.delete(key);
    this.#dependents.set(gatewayId(key), new Set());
    this.#markRoutesOf(key);
  }

  #markRoutesOf(gateway: string): void {
    for (const id of this.#dependents.dependentsOf(targets.gateway(gateway)))
      this.#dirtyRoutes.add(id.slice('httproute/'.length));
  }

  #translateRoutes(): void {
    for (const key of this.#dirtyRoutes) {
      const route = this.#cluster.routes.get(key);
      const previous = this.#routes.get(key);
      let translated: TranslatedRoute | null = null;
      try {
        translated = route === undefined ? null : translateRoute(route, this.#cluster);
      } catch (error) {
        // A route that can't be translated must not delay others.
        this.#log.error('failed to translate a route', { route: key, error });
      }
      const id = routeId(key);
      this.#queue.set(id, previous?.fragments.keys() ?? [], translated?.fragments ?? new Map<string, Fragment>());
      this.#dependents.set(id, translated?.dependsOn ?? new Set());
      const attachedTo = translated?.attachedTo ?? new Set<string>();
      this.#attached.set(key, attachedTo);
      for (const listener of [...attachedTo, ...(previous?.attachedTo ?? [])])
        this.#dirtyStatus.add(gatewayId(listener.slice(0, listener.lastIndexOf('/'))));
      if (translated === null) this.#routes.delete(key);
      else this.#routes.set(key, translated);
      this.#dirtyStatus.add(id);
    }
    this.#dirtyRoutes.clear();
  }

  /** Writes the status of objects whose configuration is in effect. */
  #writeStatus(): void {
    if (!this.#options.isLeader()) {
      this.#dirtyStatus.clear();
      return;
    }
    for (const id of this.#dirtyStatus) {
      if (!this.#queue.isSettled(id)) continue;
      this.#dirtyStatus.delete(id);
      const separator = id.indexOf('/');
      const [kind, key] = [id.slice(0, separator), id.slice(separator + 1)];
      if (kind === 'class') this.#writeClass(key);
      else if (kind === 'gateway') this.#writeGateway(key);
      else this.#writeRoute(key);
    }
  }

  #writeClass(key: string): void {
    if (this.#cluster.classes.get(key)?.spec.controllerName !== this.#options.controllerName) return;
    this.#writer.write(`${gatewayApi}/gatewayclasses/${key}/status`, () => {
      const current = this.#cluster.classes.get(key);
      return current === undefined ? null : classPatch(current);
    });
  }

  #writeGateway(key: string): void {
    if (!this.#gateways.has(key)) return;
    this.#writer.write(statusPath('gateways', key), () => {
      const [gateway, entry] = [this.#cluster.gateways.get(key), this.#gateways.get(key)];
      if (gateway === undefined || entry === undefined) return null;
      const { assignment } = entry;
      const listeners = this.#cluster.listeners.get(key) ?? [];
      const rejected = new Map<string, string>();
      for (const { name } of listeners) {
        const error = this.#queue.rejected.get(`${gatewayId(key)}/${name}`);
        if (error !== undefined) rejected.set(name, error);
      }
      const attachedRoutes = (name: string): number => this.#attached.dependentsOf(`${key}/${name}`).size;
      return gatewayPatch(gateway, { assignment, listeners, attachedRoutes, rejected });
    });
  }

  #writeRoute(key: string): void {
    if (!this.#routes.has(key)) return;
    this.#writer.write(statusPath('httproutes', key), () => {
      const [route, translated] = [this.#cluster.routes.get(key), this.#routes.get(key)];
      if (route === undefined || translated === undefined) return null;
      const rejected = [...translated.fragments.keys()].flatMap((each) => this.#queue.rejected.get(each) ?? []);
      return routePatch(route, translated, this.#options.controllerName, rejected);
    });
  }

  #isOwn({ spec }: Gateway): boolean {
    return this.#cluster.classes.get(spec.gatewayClassName)?.spec.controllerName === this.#options.controllerName;
  }
}

function areEqual(one: readonly Listener[] | undefined, other: readonly Listener[]): boolean {
  return jsonEqual(one as unknown as Json, other as unknown as Json);
}

function statusPath(plural: string, key: string): string {
  const [namespace = '', name = ''] = key.split('/');
  return `${gatewayApi}/namespaces/${namespace}/${plural}/${name}/status`;
}

/** Reports whether an object's specification changed. Status has no effect on the generation. */
function isNewer(object: KubeObject | null, previous: KubeObject | null): boolean {
  return object === null || previous === null || object.metadata.generation !== previous.metadata.generation;
}

function secretsOf(gateway: Gateway): readonly string[] {
  const namespace = gateway.metadata.namespace ?? '';
  return gateway.spec.listeners
    .flatMap(({ tls }) => tls?.certificateRefs ?? [])
    .filter(({ kind = 'Secret', group = '' }) => kind === 'Secret' && group === '')
    .map((each) => `${each.namespace ?? namespace}/${each.name}`);
}
