/** The directive and the global options of the app `tls`. */
import {
  directives,
  globalOptions,
  type Description,
  type FinishConfig,
  type GlobalOption,
  type GlobalOptionContribution,
} from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const finish = async (): Promise<FinishConfig> => (await import('./global-options.ts')).finishTls;

async function describe(name: string): Promise<Description> {
  return (await import('./describe-options.ts')).tlsDescriptions[name] as Description;
}

function option(name: string, read: () => Promise<GlobalOption>): GlobalOptionContribution {
  return { name, load: read, finish, describe: () => describe(name) };
}

const contributions: readonly GlobalOptionContribution[] = [
  option('email', async () => (await import('./global-options.ts')).text),
  option('acme_ca', async () => (await import('./global-options.ts')).text),
  option('acme_ca_root', async () => (await import('./global-options.ts')).text),
  option('acme_dns', async () => (await import('./global-options.ts')).acmeDns),
  option('acme_eab', async () => (await import('./global-options.ts')).acmeEab),
  option('cert_issuer', async () => (await import('./global-options.ts')).certIssuer),
  option('cert_lifetime', async () => (await import('./global-options.ts')).lifetime),
  option('dns', async () => (await import('./global-options.ts')).dns),
  option('ech', async () => (await import('./global-options.ts')).ech),
  option('key_type', async () => (await import('./global-options.ts')).text),
  option('local_certs', async () => (await import('./global-options.ts')).flag),
  option('ocsp_interval', async () => (await import('./global-options.ts')).duration),
  option('ocsp_stapling', async () => (await import('./global-options.ts')).ocspStapling),
  option('on_demand_tls', async () => (await import('./global-options.ts')).onDemandTls),
  option('preferred_chains', async () => (await import('./global-options.ts')).preferredChains),
  option('renew_interval', async () => (await import('./global-options.ts')).duration),
  option('renewal_window_ratio', async () => (await import('./global-options.ts')).ratio),
  option('storage_check', async () => (await import('./global-options.ts')).off),
  option('storage_clean_interval', async () => (await import('./global-options.ts')).cleanInterval),
  option('tls_resolvers', async () => (await import('./global-options.ts')).words),
];

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(directives, {
    name: 'tls',
    load: async () => (await import('./tls.ts')).tls,
    describe: async () => (await import('./describe.ts')).tls,
  });
  registry.contribute(globalOptions, ...contributions);
}
