/** Copies of the objects that the provider uses, with indexes for the translation. */
import { ReferenceIndex } from './reference-index.ts';
import type { KubeClient } from './api/client.ts';
import { Reflector } from './api/reflector.ts';
import { targets, type ClusterView } from './gateway/cluster-view.ts';
import type { Listener } from './gateway/listener.ts';
import {
  slim,
  type EndpointSlice,
  type Gateway,
  type GatewayClass,
  type HttpRoute,
  type KubeObject,
  type Metadata,
  type ReferenceGrant,
  type Secret,
  type Service,
} from './objects.ts';

export const gatewayApi = '/apis/gateway.networking.k8s.io/v1';
const serviceLabel = 'kubernetes.io/service-name';

export interface ClusterEvents {
  onClass(key: string, gatewayClass: GatewayClass | null): void;
  onGateway(key: string, gateway: Gateway | null, previous: Gateway | null): void;
  onRoute(key: string, route: HttpRoute | null, previous: HttpRoute | null): void;
  /** Called when an object with dependents has changed. */
  onTarget(target: string): void;
  /** Requests to the API server fail; `null` = they succeed again. */
  onState(error: unknown): void;
}

export class Cluster implements ClusterView {
  readonly classes: ReadonlyMap<string, GatewayClass>;
  readonly gateways: ReadonlyMap<string, Gateway>;
  readonly routes: ReadonlyMap<string, HttpRoute>;
  /** Listeners by Gateway, set by the controller. */
  readonly listeners = new Map<string, readonly Listener[]>();
  readonly #client: KubeClient;
  readonly #events: ClusterEvents;
  readonly #reflectors: Reflector<KubeObject>[] = [];
  readonly #services: ReadonlyMap<string, Service>;
  readonly #namespaces: ReadonlyMap<string, KubeObject>;
  readonly #slices: ReadonlyMap<string, EndpointSlice>;
  readonly #grants: ReadonlyMap<string, ReferenceGrant>;
  readonly #slicesOfService = new ReferenceIndex();
  readonly #grantsOfNamespace = new ReferenceIndex();
  readonly #secrets = new Map<string, { secret: Secret | null | undefined; readonly stop: AbortController }>();
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
    this.routes = this.#reflect(`${gatewayApi}/httproutes`, keptRoute, (key, object, previous) => {
      events.onRoute(key, object, previous);
    });
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

  /** Lists all objects. Rejects if the API server is unavailable or refuses a list. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.start(signal)));
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
    const known = this.#secrets.get(key);
    return known === undefined ? null : known.secret;
  }

  labelsOf(namespace: string): Readonly<Record<string, string>> {
    return this.#namespaces.get(namespace)?.metadata.labels ?? {};
  }

  listenersOf(gatewayKey: string): readonly Listener[] | undefined {
    return this.listeners.get(gatewayKey);
  }

  /**
   * Watches exactly these Secrets, each by name, so that the provider needs no permission to read others. Resolves when new Secrets have
   * been read, or couldn't be.
   */
  async watchSecrets(keys: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    for (const [key, { stop }] of this.#secrets) {
      if (keys.has(key)) continue;
      stop.abort();
      this.#secrets.delete(key);
    }
    const added = [...keys].filter((key) => !this.#secrets.has(key));
    await Promise.all(added.map((key) => this.#watchSecret(key, signal)));
  }

  #watchSecret(key: string, signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const entry: { secret: Secret | null | undefined; readonly stop: AbortController } = { secret: null, stop };
    this.#secrets.set(key, entry);
    const [namespace = '', name = ''] = key.split('/');
    return new Promise((resolve) => {
      const settle = (): void => {
        entry.secret ??= undefined;
        resolve();
      };
      const reflector = new Reflector<Secret>(this.#client, {
        path: `/api/v1/namespaces/${namespace}/secrets?fieldSelector=${encodeURIComponent(`metadata.name=${name}`)}`,
        keep: keptSecret,
        onChange: (_key, object) => {
          entry.secret = object ?? undefined;
          this.#events.onTarget(targets.secret(key));
        },
        onListed: settle,
        onState: (error) => {
          if (error !== null) settle();
          this.#setState(`secret ${key}`, error);
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
  ): ReadonlyMap<string, T> {
    const onState = (error: unknown): void => {
      this.#setState(path, error);
    };
    const reflector = new Reflector<T>(this.#client, { path, keep, onChange, onState });
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

function kept(object: KubeObject): KubeObject {
  const { metadata } = slim(object);
  return { metadata };
}

const keptClass = (object: KubeObject): GatewayClass => slim(object) as GatewayClass;
const keptGateway = (object: KubeObject): Gateway => slim(object) as Gateway;
const keptRoute = (object: KubeObject): HttpRoute => slim(object) as HttpRoute;
const keptGrant = (object: KubeObject): ReferenceGrant => slim(object) as ReferenceGrant;

function keptService(object: KubeObject): Service {
  const { metadata, spec } = slim(object) as Service;
  const { type, ports } = spec;
  return {
    metadata: withoutLabels(metadata),
    spec: { ...(type === undefined ? {} : { type }), ...(ports === undefined ? {} : { ports }) },
  };
}

function keptSlice(object: KubeObject): EndpointSlice {
  const { metadata, ports, endpoints } = slim(object) as EndpointSlice;
  const service = metadata.labels?.[serviceLabel];
  return {
    metadata: { ...withoutLabels(metadata), ...(service === undefined ? {} : { labels: { [serviceLabel]: service } }) },
    ports: ports ?? null,
    endpoints: (endpoints ?? []).map(({ addresses, conditions = {} }) => ({ addresses, conditions })),
  };
}

function keptSecret(object: KubeObject): Secret {
  const { metadata, data = {} } = slim(object) as Secret;
  const names = ['tls.crt', 'tls.key'].filter((name) => Object.hasOwn(data, name));
  return { metadata: withoutLabels(metadata), data: Object.fromEntries(names.map((name) => [name, data[name] ?? ''])) };
}

function withoutLabels({ labels: _labels, ...metadata }: Metadata): Metadata {
  return metadata;
}

function serviceOf({ metadata: { namespace = '', labels } }: EndpointSlice): string | null {
  const service = labels?.[serviceLabel];
  return service === undefined ? null : `${namespace}/${service}`;
}

function namespaceIn(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
