/** Parts of objects that the Ingress provider reads. The API server has checked them against their schemas. */
import type { EndpointSlice, KubeObject, Metadata, Secret, Service } from '../objects.ts';

export interface IngressMetadata extends Metadata {
  readonly uid?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export interface IngressBackend {
  readonly service?: { readonly name: string; readonly port?: { readonly name?: string; readonly number?: number } };
  readonly resource?: { readonly kind: string; readonly name: string };
}

export interface IngressPath {
  readonly path?: string;
  readonly pathType?: string;
  readonly backend: IngressBackend;
}

export interface IngressRule {
  readonly host?: string;
  readonly http?: { readonly paths: readonly IngressPath[] };
}

/** An address for the status of Ingresses. */
export interface LoadBalancerAddress {
  readonly ip?: string;
  readonly hostname?: string;
}

export interface Ingress extends KubeObject {
  readonly metadata: IngressMetadata;
  readonly spec: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: IngressBackend;
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
    readonly rules?: readonly IngressRule[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerAddress[] } };
}

export interface IngressClass extends KubeObject {
  readonly metadata: IngressMetadata;
  readonly spec: { readonly controller?: string };
}

export interface IngressService extends Service {
  readonly spec: Service['spec'] & { readonly clusterIP?: string; readonly externalName?: string };
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** Objects of the cluster as the translation sees them. */
export interface IngressView {
  service(key: string): IngressService | undefined;
  slicesOf(serviceKey: string): Iterable<EndpointSlice>;
  /** `undefined` = it doesn't exist; `null` = it has not been read yet. */
  secret(key: string): Secret | null | undefined;
  configMap(key: string): ConfigMap | null | undefined;
  /** Result of the nginx adapter; `null` = not known yet. */
  snippet(text: string): Snippet | null;
  /** Ingresses with a path, of any age, with canaries. */
  claimants(claim: string): Iterable<Ingress>;
  /** Ingresses with a rule or a TLS entry for a host. */
  ingressesOf(host: string): Iterable<Ingress>;
  /** Reports whether an Ingress has a rule for a host. */
  isHost(host: string): boolean;
  /** Reports whether all paths of a host are regular expressions. */
  usesExpressions(host: string): boolean;
}

export interface Snippet {
  /** Handlers around the marked proxy; empty if the snippet is invalid. */
  readonly handlers: readonly object[];
  readonly error: string | null;
}

/** Returns a text that sorts Ingresses from the oldest to the youngest. */
export function ageOf({ metadata }: KubeObject): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Reports whether only the status differs. Annotations have no effect on the generation. */
export function hasSameSpec(one: Ingress, other: Ingress): boolean {
  return (
    one.metadata.generation === other.metadata.generation &&
    one.metadata.uid === other.metadata.uid &&
    JSON.stringify(one.metadata.annotations) === JSON.stringify(other.metadata.annotations)
  );
}
