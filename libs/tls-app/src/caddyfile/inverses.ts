/** How the directive and the global options of the app `tls` are written again. */
import { globalInverses, siteInverses, type GlobalInverse, type WriteGlobalOption } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const ofApp = [
  'on_demand_tls',
  'ocsp_interval',
  'renew_interval',
  'storage_clean_interval',
  'ocsp_stapling',
  'storage_check',
  'tls_resolvers',
  'dns',
  'ech',
];

const ofPolicies = [
  'email',
  'local_certs',
  'key_type',
  'renewal_window_ratio',
  'acme_ca',
  'acme_ca_root',
  'acme_eab',
  'acme_dns',
  'cert_lifetime',
  'preferred_chains',
  'cert_issuer',
];

const options: readonly GlobalInverse[] = [
  ...ofPolicies.map((name) => ({
    name,
    load: async () => (await import('./inverse-policy-options.ts')).policyOptionWriters[name] as WriteGlobalOption,
  })),
  ...ofApp.map((name) => ({
    name,
    load: async () => (await import('./inverse-app-options.ts')).appOptionWriters[name] as WriteGlobalOption,
  })),
];

/** Adds them. */
export function registerInverses(registry: Registry): void {
  registry.contribute(siteInverses, { name: 'tls', load: async () => (await import('./inverse-tls.ts')).tls });
  registry.contribute(globalInverses, ...options);
}
