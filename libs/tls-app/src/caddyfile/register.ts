/** The directive and the global options of the app `tls`. */
import {
  directives,
  globalOptions,
  type FinishConfig,
  type GlobalOption,
  type GlobalOptionContribution,
} from '@sluice/caddyfile';
import type { Registry } from '@sluice/registry';

const load = async (): Promise<typeof import('./global-options.ts')> => await import('./global-options.ts');
const finish = async (): Promise<FinishConfig> => (await load()).finishTls;

function option(name: string, read: () => Promise<GlobalOption>): GlobalOptionContribution {
  return { name, load: read, finish };
}

const contributions: readonly GlobalOptionContribution[] = [
  option('email', async () => (await load()).text),
  option('acme_ca', async () => (await load()).text),
  option('acme_ca_root', async () => (await load()).text),
  option('acme_dns', async () => (await load()).acmeDns),
  option('acme_eab', async () => (await load()).acmeEab),
  option('cert_issuer', async () => (await load()).certIssuer),
  option('cert_lifetime', async () => (await load()).lifetime),
  option('dns', async () => (await load()).dns),
  option('ech', async () => (await load()).ech),
  option('key_type', async () => (await load()).text),
  option('local_certs', async () => (await load()).flag),
  option('ocsp_interval', async () => (await load()).duration),
  option('ocsp_stapling', async () => (await load()).ocspStapling),
  option('on_demand_tls', async () => (await load()).onDemandTls),
  option('preferred_chains', async () => (await load()).preferredChains),
  option('renew_interval', async () => (await load()).duration),
  option('renewal_window_ratio', async () => (await load()).ratio),
  option('storage_check', async () => (await load()).off),
  option('storage_clean_interval', async () => (await load()).cleanInterval),
  option('tls_resolvers', async () => (await load()).words),
];

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(directives, { name: 'tls', load: async () => (await import('./tls.ts')).tls });
  registry.contribute(globalOptions, ...contributions);
}
