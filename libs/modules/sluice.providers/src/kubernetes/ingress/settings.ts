/** Provider options that the translation requires. */

export interface IngressSettings {
  /** Prefix of annotations, without the slash. */
  readonly prefix: string;
  /** Addresses to listen on; empty to disable the server. */
  readonly http: string;
  readonly https: string;
  /** Secret with the certificate for hosts without a certificate of their own, as `namespace/name`; empty for none. */
  readonly defaultCertificate: string;
  /** Service for requests that match no path, as `namespace/name`; empty to respond with 404. */
  readonly defaultBackend: string;
  readonly allowSnippets: boolean;
  /** True to permit annotations that reference objects in other namespaces. */
  readonly allowCrossNamespace: boolean;
  /** IP ranges of load balancers whose X-Forwarded fields are trusted. */
  readonly trustedProxies: readonly string[];
  /** True to proxy to the Service name if a Service has no endpoints: manifests are converted without a cluster. */
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
