/** Local copies of the Kubernetes objects that the Ingress provider uses. */
import type { KubeClient } from '../api/client.ts';
import { Reflector } from '../api/reflector.ts';
import { slim, type EndpointSlice, type KubeObject, type Secret } from '../objects.ts';
import { ReferenceIndex } from '../reference-index.ts';
import { NamedObjects } from './named-objects.ts';
import type {
  ConfigMap,
  Ingress,
  IngressClass,
  IngressMetadata,
  IngressService,
  LoadBalancerAddress,
} from './objects.ts';
import { ingressTargets } from './scope.ts';

export const ingressApi = '/apis/networking.k8s.io/v1';
const serviceLabel = 'kubernetes.io/service-name';

export interface IngressClusterEvents {
  onClass(key: string): void;
  onIngress(key: string, ingress: Ingress | null, previous: Ingress | null): void;
  /** Called when an object that other objects depend on has changed. */
  onTarget(target: string): void;
  /** Called with an error when requests to the API server fail, and with `null` after recovery. */
  onState(error: unknown): void;
}

type PublishedService = IngressService & {
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerAddress[] } };
};

export class IngressCluster {
  readonly classes: ReadonlyMap<string, IngressClass>;
  readonly ingresses: ReadonlyMap<string, Ingress>;
  readonly #client: KubeClient;
  readonly #events: IngressClusterEvents;
  readonly #services: ReadonlyMap<string, PublishedService>;
  readonly #slices: ReadonlyMap<string, EndpointSlice>;
  readonly #slicesOfService = new ReferenceIndex();
  readonly #reflectors: Reflector<KubeObject>[] = [];
  readonly #secrets: NamedObjects;
  readonly #configMaps: NamedObjects;
  readonly #failing = new Set<string>();

  constructor(client: KubeClient, events: IngressClusterEvents) {
    this.#client = client;
    this.#events = events;
    this.classes = this.#reflect(
      `${ingressApi}/ingressclasses`,
      (object) => keptWithAnnotations(object) as unknown as IngressClass,
      (key) => {
        events.onClass(key);
      },
    );
    this.ingresses = this.#reflect(
      `${ingressApi}/ingresses`,
      (object) => keptWithAnnotations(object) as unknown as Ingress,
      (key, object, previous) => {
        events.onIngress(key, object, previous);
      },
    );
    this.#services = this.#reflect('/api/v1/services', keptService, (key) => {
      events.onTarget(ingressTargets.service(key));
    });
    this.#slices = this.#reflect('/apis/discovery.k8s.io/v1/endpointslices', keptSlice, (key, object, previous) => {
      const [current, former] = [serviceOf(object), serviceOf(previous)];
      this.#slicesOfService.set(key, new Set(current === null ? [] : [current]));
      for (const service of new Set([current, former]))
        if (service !== null) events.onTarget(ingressTargets.service(service));
    });
    const onState = (source: string, error: unknown): void => {
      this.#setState(source, error);
    };
    this.#secrets = new NamedObjects(client, 'secrets', {
      onChange: (key) => {
        events.onTarget(ingressTargets.secret(key));
      },
      onState,
    });
    this.#configMaps = new NamedObjects(client, 'configmaps', {
      onChange: (key) => {
        events.onTarget(ingressTargets.configMap(key));
      },
      onState,
    });
  }

  /** Lists all objects. Rejects if the API server is unavailable or denies access. */
  async start(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#reflectors.map((reflector) => reflector.start(signal)));
  }

  service(key: string): IngressService | undefined {
    return this.#services.get(key);
  }

  /** Returns the load balancer addresses of a Service. */
  addressesOf(key: string): readonly LoadBalancerAddress[] {
    return (this.#services.get(key)?.status?.loadBalancer?.ingress ?? []).map(({ ip, hostname }) => ({
      ...(ip === undefined ? {} : { ip }),
      ...(hostname === undefined ? {} : { hostname }),
    }));
  }

  *slicesOf(serviceKey: string): Iterable<EndpointSlice> {
    for (const key of this.#slicesOfService.dependentsOf(serviceKey)) {
      const slice = this.#slices.get(key);
      if (slice !== undefined) yield slice;
    }
  }

  secret(key: string): Secret | null | undefined {
    return this.#secrets.get(key);
  }

  configMap(key: string): ConfigMap | null | undefined {
    return this.#configMaps.get(key);
  }

  /** Watches a Secret or ConfigMap. Targets of other kinds are always watched. */
  watch(target: string, signal: AbortSignal): void {
    const named = this.#namedOf(target);
    named?.objects.watch(named.key, signal);
  }

  forget(target: string): void {
    const named = this.#namedOf(target);
    named?.objects.forget(named.key);
  }

  /** Reports whether the object of a target has not been read yet. */
  isPending(target: string): boolean {
    const named = this.#namedOf(target);
    return named !== null && named.objects.get(named.key) === null;
  }

  #namedOf(target: string): { readonly objects: NamedObjects; readonly key: string } | null {
    if (target.startsWith('secret/')) return { objects: this.#secrets, key: target.slice('secret/'.length) };
    if (target.startsWith('configmap/')) return { objects: this.#configMaps, key: target.slice('configmap/'.length) };
    return null;
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

function keptWithAnnotations(object: KubeObject): KubeObject {
  const { annotations = {} } = object.metadata as IngressMetadata;
  const { 'kubectl.kubernetes.io/last-applied-configuration': _applied, ...others } = annotations;
  const { labels: _labels, ...metadata } = slim(object).metadata;
  const kept: IngressMetadata = { ...metadata, annotations: others };
  return { ...object, metadata: kept };
}

function keptService(object: KubeObject): PublishedService {
  const { spec, status } = object as PublishedService;
  const { type, ports, clusterIP, externalName } = spec;
  const { labels: _labels, ...metadata } = slim(object).metadata;
  return {
    metadata,
    spec: {
      ...(type === undefined ? {} : { type }),
      ...(ports === undefined ? {} : { ports }),
      ...(clusterIP === undefined ? {} : { clusterIP }),
      ...(externalName === undefined ? {} : { externalName }),
    },
    ...(status?.loadBalancer?.ingress === undefined ? {} : { status }),
  };
}

function keptSlice(object: KubeObject): EndpointSlice {
  const { metadata, ports, endpoints } = slim(object) as EndpointSlice;
  const service = metadata.labels?.[serviceLabel];
  return {
    metadata: { ...metadata, labels: service === undefined ? {} : { [serviceLabel]: service } },
    ports: ports ?? null,
    endpoints: (endpoints ?? []).map(({ addresses, conditions = {} }) => ({ addresses, conditions })),
  };
}

function serviceOf(slice: EndpointSlice | null): string | null {
  const service = slice?.metadata.labels?.[serviceLabel];
  return service === undefined ? null : `${slice?.metadata.namespace ?? ''}/${service}`;
}
