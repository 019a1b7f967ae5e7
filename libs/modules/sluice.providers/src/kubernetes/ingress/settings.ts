/** Provider options that affect the translation of Ingresses. */

export interface IngressSettings {
  /** Annotation prefix, without the slash. */
  readonly prefix: string;
  /** Addresses on which the server listens. Empty to disable the server. */
  readonly http: string;
  readonly https: string;
  /** Secret with the default certificate, as `namespace/name`. It is used for hosts that have no certificate. Empty if there is none. */
  readonly defaultCertificate: string;
  /** Service for requests that match no path, as `namespace/name`. Empty to respond with 404. */
  readonly defaultBackend: string;
  readonly allowSnippets: boolean;
  /** True to permit annotations that reference objects in other namespaces. */
  readonly allowCrossNamespace: boolean;
  /** IP ranges of trusted load balancers, whose X-Forwarded fields are used. */
  readonly trustedProxies: readonly string[];
  /** True to proxy to the Service name if a Service has no endpoints. Set when manifests are converted without a cluster. */
  readonly isOffline: boolean;
}

export const defaultPrefix = 'nginx.ingress.kubernetes.io';

export const defaultSettings: IngressSettings = {
  prefix: defaultPrefix,
  http: ':80',
  https: ':443',
  defaultCertificate: '',
  defaultBackend: '',
  allowSnippets: false,
  allowCrossNamespace: false,
  trustedProxies: [],
  isOffline: false,
};
