/** Local copies of the Kubernetes objects that the provider uses, with indexes for the translation. */
import { ReferenceIndex } from './reference-index.ts';
import type { KubeClient } from './api/client.ts';
import { Reflector } from './api/reflector.ts';
import { gatewayApi, httpRouteKind, routeKinds, type RouteKindInfo } from './kinds.ts';
import {
  kept,
  keptClass,
  keptConfigMap,
  keptGateway,
  keptGrant,
  keptPolicy,
  keptRoute,
  keptSecret,
  keptService,
  keptSet,
  keptSlice,
  serviceLabel,
} from './kept-objects.ts';
import { targets, type ClusterView } from './gateway/cluster-view.ts';
import type { Listener } from './gateway/listener.ts';
import {
  isNewer,
  servicesOf,
  type BackendTlsPolicy,
  type ConfigMap,
  type EndpointSlice,
  type Gateway,
  type GatewayClass,
  type HttpRoute,
  type KubeObject,
  type ListenerSet,
  type ReferenceGrant,
  type Secret,
  type Service,
} from './objects.ts';

export interface ClusterEvents {
  onClass(key: string, gatewayClass: GatewayClass | null): void;
  onGateway(key: string, gateway: Gateway | null, previous: Gateway | null): void;
  onListenerSet(key: string, set: ListenerSet | null, previous: ListenerSet | null): void;
  onRoute(kind: RouteKindInfo, key: string, route: HttpRoute | null, previous: HttpRoute | null): void;
  onPolicy(key: string, policy: BackendTlsPolicy | null, previous: BackendTlsPolicy | null): void;
  /** Called when an object that other objects depend on has changed. */
  onTarget(target: string): void;
  /** Called with an error when requests to the API server fail, and with `null` after recovery. */
  onState(error: unknown): void;
}

interface NamedEntry {
  /** `undefined` if the object doesn't exist. `null` if it has not been read yet. */
  object: Secret | ConfigMap | null | undefined;
  readonly stop: AbortController;
}

export class Cluster implements ClusterView {
  readonly classes: ReadonlyMap<string, GatewayClass>;
  readonly gateways: ReadonlyMap<string, Gateway>;
  readonly listenerSets: ReadonlyMap<string, ListenerSet>;
  /** Listeners, keyed by their parent's key. The controller replaces the contents. */
  readonly listeners = new Map<string, readonly Listener[]>();
  readonly #client: KubeClient;
  readonly #events: ClusterEvents;
  readonly #reflectors: Reflector<KubeObject>[] = [];
  readonly #routes = new Map<RouteKindInfo, ReadonlyMap<string, HttpRoute>>();
  readonly #services: ReadonlyMap<string, Service>;
  readonly #namespaces: ReadonlyMap<string, KubeObject>;
  readonly #slices: ReadonlyMap<string, EndpointSlice>;
  readonly #grants: ReadonlyMap<string, ReferenceGrant>;
  readonly #slicesOfService = new ReferenceIndex();
  readonly #grantsOfNamespace = new ReferenceIndex();
  readonly #policies: ReadonlyMap<string, BackendTlsPolicy>;
  readonly #policiesOfService = new ReferenceIndex();
  /** Watched Secrets and ConfigMaps, keyed by target. */
  readonly #named = new Map<string, NamedEntry>();
  readonly #failing = new Set<string>();

  constructor(client: KubeClient, events: ClusterEvents) {
    this.#client = client;
    this.#events = events;
    this.#namespaces = this.#reflect('/api/v1/namespaces', kept, (key, object, previous) => {
      if (JSON.stringify(object?.metadata.labels) !== JSON.stringify(previous?.metadata.labels))
        events.onTarget(targets.namespace(key));
    });
    this.classes = this.#reflect(`${gatewayApi}/gatewayclasses`, keptClass, (key, object) => {
      events.onClass(key, object);
    });
    this.gateways = this.#reflect(`${gatewayApi}/gateways`, keptGateway, (key, object, previous) => {
      events.onGateway(key, object, previous);
    });
    const onSet = events.onListenerSet.bind(events);
    this.listenerSets = this.#reflect(`${gatewayApi}/listenersets`, keptSet, onSet, true);
    for (const kind of routeKinds) {
      const onRoute = events.onRoute.bind(events, kind);
      this.#routes.set(kind, this.#reflect(`${gatewayApi}/${kind.plural}`, keptRoute, onRoute, kind !== httpRouteKind));
    }
    this.#policies = this.#reflect(
      `${gatewayApi}/backendtlspolicies`,
      keptPolicy,
      (key, object, previous) => {
        this.#policiesOfService.set(key, new Set(object === null ? [] : servicesOf(object)));
        events.onPolicy(key, object, previous);
        for (const service of new Set([object, previous].flatMap((each) => (each === null ? [] : servicesOf(each)))))
          if (isNewer(object, previous)) events.onTarget(targets.service(service));
      },
      true,
    );
    this.#services = this.#reflect('/api/v1/services', keptService, (key) => {
      events.onTarget(targets.service(key));
    });
    this.#slices = this.#reflect('/apis/discovery.k8s.io/v1/endpointslices', keptSlice, (key, object, previous) => {
      const services = [object, previous].map((each) => (each === null ? null : serviceOf(each)));
      const [current] = services;
      this.#slicesOfService.set(key, new Set(current === null || current === undefined ? [] : [current]));
      for (const service of new Set(services)) if (service !== null) events.onTarget(targets.service(service));
    });
    this.#grants = this.#reflect(
      '/apis/gateway.networking.k8s.io/v1beta1/referencegrants',
      keptGrant,
      (key, object) => {
        const namespace = namespaceIn(key);
        this.#grantsOfNamespace.set(key, new Set(object === null ? [] : [namespace]));
        events.onTarget(targets.grants(namespace));
      },
    );
  }

  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.start(signal)));
  }

  route(kind: RouteKindInfo, key: string): HttpRoute | undefined {
    return this.#routes.get(kind)?.get(key);
  }

  service(key: string): Service | undefined {
    return this.#services.get(key);
  }

  *slicesOf(serviceKey: string): Iterable<EndpointSlice> {
    for (const key of this.#slicesOfService.dependentsOf(serviceKey)) yield this.#slices.get(key) as EndpointSlice;
  }

  *grantsIn(namespace: string): Iterable<ReferenceGrant> {
    for (const key of this.#grantsOfNamespace.dependentsOf(namespace)) yield this.#grants.get(key) as ReferenceGrant;
  }

  secret(key: string): Secret | null | undefined {
    const known = this.#named.get(targets.secret(key));
    return known === undefined ? null : known.object;
  }

  configMap(key: string): ConfigMap | null | undefined {
    const known = this.#named.get(targets.configMap(key));
    return known === undefined ? null : known.object;
  }

  *policiesOf(serviceKey: string): Iterable<BackendTlsPolicy> {
    for (const key of this.#policiesOfService.dependentsOf(serviceKey))
      yield this.#policies.get(key) as BackendTlsPolicy;
  }

  /** Yields the keys of the policies that apply to the target Services of a route. */
  *policiesUsedBy(dependsOn: Iterable<string>): Iterable<string> {
    const services = targets.service('');
    for (const target of dependsOn)
      if (target.startsWith(services)) yield* this.#policiesOfService.dependentsOf(target.slice(services.length));
  }

  get policies(): ReadonlyMap<string, BackendTlsPolicy> {
    return this.#policies;
  }

  labelsOf(namespace: string): Readonly<Record<string, string>> {
    return this.#namespaces.get(namespace)?.metadata.labels ?? {};
  }

  listenersOf(parentKey: string): readonly Listener[] | undefined {
    return this.listeners.get(parentKey);
  }

  /**
   * Watches exactly these Secrets and ConfigMaps. Each one is watched by name, so the provider does not need permission to read others.
   * Resolves after each new object has been read or reading has failed.
   *
   * @param wanted Targets, such as `secret/namespace/name`.
   */
  async watchNamed(wanted: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    for (const [target, { stop }] of this.#named) {
      if (wanted.has(target)) continue;
      stop.abort();
      this.#named.delete(target);
      // Clear the error state of a watch that is no longer needed, so that the source is not reported as unavailable.
      this.#setState(target, null);
    }
    const added = [...wanted].filter((target) => !this.#named.has(target));
    await Promise.all(added.map((target) => this.#watchNamed(target, signal)));
  }

  #watchNamed(target: string, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const entry: NamedEntry = { object: null, stop };
    this.#named.set(target, entry);
    const [kind = '', namespace = '', name = ''] = target.split('/');
    return new Promise((resolve) => {
      const settle = (): void => {
        entry.object ??= undefined;
        resolve();
      };
      const reflector = new Reflector<Secret | ConfigMap>(this.#client, {
        path: `/api/v1/namespaces/${namespace}/${kind}s?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`,
        keep: kind === 'secret' ? keptSecret : keptConfigMap,
        onChange: (_key, object) => {
          entry.object = object ?? undefined;
          this.#events.onTarget(target);
        },
        onListed: settle,
        onState: (error) => {
          if (error !== null) settle();
          this.#setState(target, error);
        },
      });
      reflector.run(AbortSignal.any([signal, stop.signal]));
      signal.addEventListener('abort', settle, { once: true });
    });
  }

  #reflect<T extends KubeObject>(
    path: string,
    keep: (object: KubeObject) => T,
    onChange: (key: string, object: T | null, previous: T | null) => void,
    isOptional = false,
  ): ReadonlyMap<string, T> {
    const onState = (error: unknown): void => {
      this.#setState(path, error);
    };
    const reflector = new Reflector<T>(this.#client, { path, keep, onChange, onState, isOptional });
    this.#reflectors.push(reflector as unknown as Reflector<KubeObject>);
    return reflector.objects;
  }

  #setState(source: string, error: unknown): void {
    if (error !== null) {
      this.#failing.add(source);
      this.#events.onState(error);
    } else if (this.#failing.delete(source) && this.#failing.size === 0) this.#events.onState(null);
  }
}

function serviceOf({ metadata: { namespace = '', labels } }: EndpointSlice): string | null {
  const service = labels?.[serviceLabel];
  return service === undefined ? null : `${namespace}/${service}`;
}

function namespaceIn(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
