/** Parts of Kubernetes objects that the Ingress provider reads. The API server has already validated the objects against their schemas. */
import type { EndpointSlice, KubeObject, Metadata, Secret, Service } from '../objects.ts';

export interface IngressMetadata extends Metadata {
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

/** Load balancer address in the status of an Ingress or Service. */
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

/** Read access to Kubernetes objects for the translation. */
export interface IngressView {
  service(key: string): IngressService | undefined;
  slicesOf(serviceKey: string): Iterable<EndpointSlice>;
  /** Returns a Secret. `undefined` if it doesn't exist, and `null` if it has not been read yet. */
  secret(key: string): Secret | null | undefined;
  configMap(key: string): ConfigMap | null | undefined;
  /** Returns the nginx adapter's result for a snippet, or `null` while the conversion is in progress. */
  snippet(text: string): Snippet | null;
  /** Returns all Ingresses that claim a path, including canaries. */
  claimants(claim: string): Iterable<Ingress>;
  /** Returns the Ingresses with a rule or a TLS entry for a host. */
  ingressesOf(host: string): Iterable<Ingress>;
  /** Reports whether an Ingress has a rule for a host. */
  isHost(host: string): boolean;
  /** Reports whether all paths of a host are regular expressions. */
  usesExpressions(host: string): boolean;
}

export interface Snippet {
  /** Handlers that surround the proxy placeholder. Empty if the snippet is invalid. */
  readonly handlers: readonly object[];
  readonly error: string | null;
}

/**
 * Reports whether two versions of an Ingress differ only in status. Comparing generations would not suffice, because annotations do not
 * change the generation.
 */
export function hasSameSpec(one: Ingress, other: Ingress): boolean {
  return (
    one.metadata.generation === other.metadata.generation &&
    one.metadata.uid === other.metadata.uid &&
    JSON.stringify(one.metadata.annotations) === JSON.stringify(other.metadata.annotations)
  );
}
