/**
 * Parts of Kubernetes objects that the provider reads. The API server has already validated the objects against their schemas. Objects
 * created with older schema versions may lack fields that have defaults.
 */
import type { ObjectReference } from './object-reference.ts';
import type { BackendReference, RouteFilter } from './route-filters.ts';

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly generation?: number;
  readonly resourceVersion?: string;
  readonly creationTimestamp?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface KubeObject {
  readonly metadata: Metadata;
}

export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime?: string;
}

export interface GatewayClass extends KubeObject {
  readonly spec: { readonly controllerName: string; readonly parametersRef?: object };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly supportedFeatures?: readonly object[] };
}

export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** Rule that selects the namespaces from which objects may attach. */
export interface NamespaceRule {
  readonly from?: string;
  readonly selector?: LabelSelector;
}

export interface GatewayListener {
  readonly name: string;
  readonly hostname?: string;
  readonly port: number;
  readonly protocol: string;
  readonly tls?: { readonly mode?: string; readonly certificateRefs?: readonly ObjectReference[] };
  readonly allowedRoutes?: {
    readonly namespaces?: NamespaceRule;
    readonly kinds?: readonly { readonly group?: string; readonly kind: string }[];
  };
}

export interface GatewayAddress {
  readonly type?: string;
  readonly value?: string;
}

export interface Gateway extends KubeObject {
  readonly spec: {
    readonly gatewayClassName: string;
    readonly listeners?: readonly GatewayListener[];
    readonly addresses?: readonly GatewayAddress[];
    readonly allowedListeners?: { readonly namespaces?: NamespaceRule };
    readonly infrastructure?: { readonly parametersRef?: object };
    readonly tls?: {
      readonly frontend?: {
        readonly default?: FrontendValidation;
        readonly perPort?: readonly { readonly port: number; readonly tls?: FrontendValidation }[];
      };
      readonly backend?: { readonly clientCertificateRef?: ObjectReference };
    };
  };
  readonly status?: {
    readonly attachedListenerSets?: number;
    readonly addresses?: readonly GatewayAddress[];
    readonly conditions?: readonly Condition[];
    readonly listeners?: readonly { readonly name: string; readonly conditions?: readonly Condition[] }[];
  };
}

export interface ListenerSet extends KubeObject {
  readonly spec: { readonly parentRef: ObjectReference; readonly listeners?: readonly GatewayListener[] };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly listeners?: readonly { readonly name: string; readonly conditions?: readonly Condition[] }[];
  };
}

export interface ParentReference extends ObjectReference {
  readonly sectionName?: string;
  readonly port?: number;
}

export interface ValueMatch {
  readonly type?: string;
  readonly name: string;
  readonly value: string;
}

export interface RouteMatch {
  readonly path?: { readonly type?: string; readonly value?: string };
  readonly headers?: readonly ValueMatch[];
  readonly queryParams?: readonly ValueMatch[];
  readonly method?: string;
}

export interface RouteRule {
  readonly name?: string;
  readonly matches?: readonly RouteMatch[];
  readonly filters?: readonly RouteFilter[];
  readonly backendRefs?: readonly BackendReference[];
  readonly timeouts?: { readonly request?: string; readonly backendRequest?: string };
  readonly retry?: { readonly codes?: readonly number[]; readonly attempts?: number; readonly backoff?: string };
}

export interface RouteParentStatus {
  readonly parentRef: ParentReference;
  readonly controllerName: string;
  readonly conditions?: readonly Condition[];
}

export interface HttpRoute extends KubeObject {
  readonly spec: {
    readonly parentRefs?: readonly ParentReference[];
    readonly hostnames?: readonly string[];
    readonly rules?: readonly RouteRule[];
  };
  readonly status?: { readonly parents?: readonly RouteParentStatus[] };
}

export interface GrpcMatch {
  readonly method?: { readonly type?: string; readonly service?: string; readonly method?: string };
  readonly headers?: readonly ValueMatch[];
}

export interface GrpcRoute extends KubeObject {
  readonly spec: Omit<HttpRoute['spec'], 'rules'> & {
    readonly rules?: readonly (Omit<RouteRule, 'matches'> & { readonly matches?: readonly GrpcMatch[] })[];
  };
  readonly status?: { readonly parents?: readonly RouteParentStatus[] };
}

export interface ReferenceGrant extends KubeObject {
  readonly spec: {
    readonly from: readonly { readonly group: string; readonly kind: string; readonly namespace: string }[];
    readonly to: readonly { readonly group: string; readonly kind: string; readonly name?: string }[];
  };
}

export interface Service extends KubeObject {
  readonly spec: {
    readonly type?: string;
    readonly ports?: readonly {
      readonly name?: string;
      readonly port: number;
      readonly protocol?: string;
      readonly appProtocol?: string;
    }[];
  };
}

export interface EndpointSlice extends KubeObject {
  readonly ports?: readonly { readonly name?: string; readonly port?: number }[] | null;
  readonly endpoints?:
    | readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[]
    | null;
}

export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

export interface ConfigMap extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

export interface BackendTlsPolicy extends KubeObject {
  readonly spec: {
    readonly targetRefs: readonly {
      readonly group?: string;
      readonly kind: string;
      readonly name: string;
      readonly sectionName?: string;
    }[];
    readonly validation: {
      readonly caCertificateRefs?: readonly ObjectReference[];
      readonly wellKnownCACertificates?: string;
      readonly hostname: string;
      readonly subjectAltNames?: readonly {
        readonly type: string;
        readonly hostname?: string;
        readonly uri?: string;
      }[];
    };
  };
  readonly status?: { readonly ancestors?: readonly PolicyAncestorStatus[] };
}

export interface PolicyAncestorStatus {
  readonly ancestorRef: ParentReference;
  readonly controllerName: string;
  readonly conditions?: readonly Condition[];
}

/** Returns the keys of the Services to which a policy applies. */
export function servicesOf({ metadata: { namespace = '' }, spec }: BackendTlsPolicy): readonly string[] {
  return spec.targetRefs
    .filter(({ group = '', kind }) => group === '' && kind === 'Service')
    .map(({ name }) => `${namespace}/${name}`);
}

/** Validation of client certificates: the trusted CAs. */
export interface FrontendValidation {
  readonly validation?: { readonly caCertificateRefs?: readonly ObjectReference[]; readonly mode?: string };
}

export function keyOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** Returns a sort key by age, oldest first. Objects of equal age are sorted by namespace and name. */
export function ageOf(object: KubeObject): string {
  return `${object.metadata.creationTimestamp ?? ''} ${keyOf(object)}`;
}

/**
 * Reports whether the spec of an object has changed. Status changes don't affect the generation. An object that was deleted and recreated
 * between two lists has the same name, and may have the same generation.
 */
export function isNewer(object: KubeObject | null, previous: KubeObject | null): boolean {
  if (object === null || previous === null) return object !== previous;
  const [current, former] = [object.metadata, previous.metadata];
  return current.generation !== former.generation || current.uid !== former.uid;
}

/** Returns a copy of an object without unused fields, which can make up most of its size. */
export function slim(object: KubeObject): KubeObject {
  const { name, namespace, uid, generation, resourceVersion, creationTimestamp, labels } = object.metadata;
  return {
    ...object,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(generation === undefined ? {} : { generation }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(labels === undefined ? {} : { labels }),
    },
  };
}
