/** Options of the provider that the translation uses. */

export interface IngressSettings {
  /** Prefix of annotations, without the slash. */
  readonly prefix: string;
  /** Addresses to listen on; empty = not served. */
  readonly http: string;
  readonly https: string;
  /** Secret with the certificate for hosts without one, as `namespace/name`; empty = none. */
  readonly defaultCertificate: string;
  /** Service for requests without a path, as `namespace/name`; empty = 404. */
  readonly defaultBackend: string;
  readonly allowSnippets: boolean;
  /** Permits annotations that name objects of other namespaces. */
  readonly allowCrossNamespace: boolean;
  /** Networks of load balancers whose X-Forwarded fields are trusted. */
  readonly trustedProxies: readonly string[];
  /** True if Services without endpoints are proxied by name: manifests are converted without a cluster. */
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
