/** Registers the Caddyfile directive and global options of the `tls` app. */
import { contributeHandlers, contributeOptions, syntaxesOf, type FinishConfig } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

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
] as const;

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
] as const;

const finish = async (): Promise<FinishConfig> => (await import('./finish.ts')).finishTls;

export function registerCaddyfile(registry: Registry): void {
  contributeHandlers(registry, {
    name: 'tls',
    inverse: false,
    described: { namespace: '', name: 'tls' },
    load: async () => (await import('./tls.ts')).tls,
    writeSite: async () => (await import('./inverse-tls.ts')).tls,
  });
  const policies = syntaxesOf(ofPolicies, async () => (await import('./policy-options.ts')).policyOptions);
  contributeOptions(registry, policies, finish);
  contributeOptions(
    registry,
    syntaxesOf(ofApp, async () => (await import('./app-options.ts')).appOptions),
    finish,
  );
}
