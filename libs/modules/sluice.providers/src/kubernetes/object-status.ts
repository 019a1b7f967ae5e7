/** Writes the status of Kubernetes objects, based on the state of the translation. */
import type { Cluster } from './cluster.ts';
import type { FragmentQueue } from './fragment-queue.ts';
import type { ReferenceIndex } from './reference-index.ts';
import type { StatusWriter } from './api/status-writer.ts';
import type { Assignment } from './gateway/addresses.ts';
import { resolvePolicy } from './gateway/backend-tls.ts';
import { targets } from './gateway/cluster-view.ts';
import type { Finding } from './gateway/conditions.ts';
import type { RouteRecord } from './gateway/http-route.ts';
import { listenerId, listenerSetKey, type Listener } from './gateway/listener.ts';
import { isAccepted, type AttachedSet } from './gateway/listener-sets.ts';
import { classPatch, gatewayPatch, isValid, listenerSetPatch, policyPatch, routePatch } from './gateway/status.ts';
import { gatewayApi, keyIn, routeKindOf, statusPath } from './kinds.ts';
import { servicesOf } from './objects.ts';

export interface GatewayEntry {
  readonly assignment: Assignment;
  readonly sets: readonly AttachedSet[];
  readonly fragments: ReadonlyMap<string, unknown>;
  readonly tlsFindings: readonly Finding[];
}

/** Translation state from which the status is derived. */
export interface TranslationState {
  readonly controllerName: string;
  readonly cluster: Cluster;
  readonly queue: FragmentQueue;
  readonly dependents: ReferenceIndex;
  /** Routes by listener. */
  readonly attached: ReferenceIndex;
  readonly gateways: ReadonlyMap<string, GatewayEntry>;
  /** Routes by ID. */
  readonly routes: ReadonlyMap<string, RouteRecord>;
}

export const gatewayId = (key: string): string => `gateway/${key}`;
export const policyId = (key: string): string => `policy/${key}`;
export const setId = (key: string): string => gatewayId(listenerSetKey(key));

export class ObjectStatus {
  readonly #state: TranslationState;
  readonly #writer: StatusWriter;

  constructor(state: TranslationState, writer: StatusWriter) {
    this.#state = state;
    this.#writer = writer;
  }

  /** Reports whether the configuration of an object has been applied. */
  isSettled(id: string): boolean {
    const { gateways, queue } = this.#state;
    if (id.startsWith(policyId(''))) return this.#routesOf(keyIn(id)).every((route) => queue.isSettled(route));
    if (!id.startsWith(setId(''))) return queue.isSettled(id);
    const set = id.slice(setId('').length);
    for (const [key, { sets }] of gateways)
      if (sets.some((each) => each.key === set)) return queue.isSettled(gatewayId(key));
    return true;
  }

  /** Writes the status of an object. The object's ID consists of its kind, a slash, and its key. */
  write(id: string): void {
    const separator = id.indexOf('/');
    const [kind, key] = [id.slice(0, separator), id.slice(separator + 1)];
    if (kind === 'class') this.#writeClass(key);
    else if (id.startsWith(setId(''))) this.#writeSet(id.slice(setId('').length));
    else if (kind === 'gateway') this.#writeGateway(key);
    else if (kind === 'policy') this.#writePolicy(key);
    else this.#writeRoute(id, key);
  }

  #writeClass(key: string): void {
    const { cluster, controllerName } = this.#state;
    if (cluster.classes.get(key)?.spec.controllerName !== controllerName) return;
    this.#writer.write(`${gatewayApi}/gatewayclasses/${key}/status`, () => {
      const current = cluster.classes.get(key);
      return current === undefined ? null : classPatch(current);
    });
  }

  #writeGateway(key: string): void {
    const { cluster, gateways } = this.#state;
    if (!gateways.has(key)) return;
    this.#writer.write(statusPath('gateways', key), () => {
      const [gateway, entry] = [cluster.gateways.get(key), gateways.get(key)];
      if (gateway === undefined || entry === undefined) return null;
      const attachedSets = entry.sets.filter((each) =>
        isAccepted(each, cluster.listeners.get(listenerSetKey(each.key)) ?? [], isValid),
      ).length;
      const { assignment, tlsFindings } = entry;
      return gatewayPatch(gateway, { assignment, ...this.#listenerState(key, key), attachedSets, tlsFindings });
    });
  }

  #writeSet(key: string): void {
    const { cluster, gateways } = this.#state;
    this.#writer.write(statusPath('listenersets', key), () => {
      const set = cluster.listenerSets.get(key);
      if (set === undefined) return null;
      for (const [gateway, { sets }] of gateways) {
        const attached = sets.find((each) => each.key === key);
        if (attached === undefined) continue;
        const state = this.#listenerState(gateway, listenerSetKey(key));
        return listenerSetPatch(set, { ...state, isAllowed: attached.isAllowed });
      }
      return null;
    });
  }

  #writeRoute(id: string, key: string): void {
    const { cluster, routes, queue, controllerName } = this.#state;
    const kind = routeKindOf(id);
    if (!routes.has(id) || kind === null) return;
    this.#writer.write(statusPath(kind.plural, key), () => {
      const [route, translated] = [cluster.route(kind, key), routes.get(id)];
      if (route === undefined || translated === undefined) return null;
      const rejected = translated.fragmentKeys.flatMap((each) => queue.rejected.get(each) ?? []);
      return routePatch(route, translated, controllerName, rejected);
    });
  }

  #writePolicy(key: string): void {
    const { cluster, attached, controllerName } = this.#state;
    this.#writer.write(statusPath('backendtlspolicies', key), () => {
      const policy = cluster.policies.get(key);
      if (policy === undefined) return null;
      const parents = new Set(
        this.#routesOf(key).flatMap((id) =>
          attached.targetsOf(id).map((listener) => listener.slice(0, listener.lastIndexOf('/'))),
        ),
      );
      const used = new Set([...parents].flatMap((parent) => cluster.listeners.get(parent)?.[0]?.gateway ?? []));
      const { findings } = resolvePolicy(policy, cluster, new Set());
      return policyPatch(policy, findings, [...used].sort(), controllerName);
    });
  }

  /** Returns the IDs of the routes whose Services a policy targets. */
  #routesOf(policyKey: string): readonly string[] {
    const { cluster, dependents, routes } = this.#state;
    const policy = cluster.policies.get(policyKey);
    if (policy === undefined) return [];
    const found = servicesOf(policy).flatMap((service) => [...dependents.dependentsOf(targets.service(service))]);
    return found.filter((id) => routes.has(id));
  }

  #listenerState(gateway: string, parent: string): ListenerState {
    const { cluster, queue, attached } = this.#state;
    const listeners = cluster.listeners.get(parent) ?? [];
    const rejected = new Map<string, string>();
    for (const listener of listeners) {
      const error = queue.rejected.get(`${gatewayId(gateway)}/${listenerId(listener)}`);
      if (error !== undefined) rejected.set(listener.name, error);
    }
    return { listeners, rejected, attachedRoutes: (name) => attached.dependentsOf(`${parent}/${name}`).size };
  }
}

interface ListenerState {
  readonly listeners: readonly Listener[];
  readonly rejected: ReadonlyMap<string, string>;
  readonly attachedRoutes: (listener: string) => number;
}
