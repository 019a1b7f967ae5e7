/** The list of packages that ship with the server. Every thread registers them all, in this order. */
import { references, type Register, type Registry } from '@sluice/registry';
import { version } from './version.ts';

/** Packages of ours, and how to get at their modules. */
const packages: Readonly<Record<string, () => Promise<{ register: Register }>>> = {
  '@sluice/engine': () => import('@sluice/engine'),
  '@sluice/telemetry': () => import('@sluice/telemetry'),
  '@sluice/admin-api': () => import('@sluice/admin-api'),
  '@sluice/events-app': () => import('@sluice/events-app'),
  '@sluice/events.handlers': () => import('@sluice/events.handlers'),
  '@sluice/pki-app': () => import('@sluice/pki-app'),
  '@sluice/tls-app': () => import('@sluice/tls-app'),
  '@sluice/http-app': () => import('@sluice/http-app'),
  '@sluice/http.handlers': () => import('@sluice/http.handlers'),
  '@sluice/http.matchers': () => import('@sluice/http.matchers'),
  '@sluice/http.ip_sources': () => import('@sluice/http.ip_sources'),
  '@sluice/http.reverse_proxy': () => import('@sluice/http.reverse_proxy'),
  '@sluice/http.authentication.providers': () => import('@sluice/http.authentication.providers'),
  '@sluice/http.authentication.hashes': () => import('@sluice/http.authentication.hashes'),
  '@sluice/http.encoders': () => import('@sluice/http.encoders'),
  '@sluice/http.precompressed': () => import('@sluice/http.precompressed'),
  '@sluice/tls.certificates': () => import('@sluice/tls.certificates'),
  '@sluice/tls.handshake_match': () => import('@sluice/tls.handshake_match'),
  '@sluice/tls.issuance': () => import('@sluice/tls.issuance'),
  '@sluice/caddy.listeners': () => import('@sluice/caddy.listeners'),
  '@sluice/tls.ca_pool.source': () => import('@sluice/tls.ca_pool.source'),
  '@sluice/tls.client_auth.verifier': () => import('@sluice/tls.client_auth.verifier'),
  '@sluice/tls.leaf_cert_loader': () => import('@sluice/tls.leaf_cert_loader'),
  '@sluice/tls.permission': () => import('@sluice/tls.permission'),
  '@sluice/tls.get_certificate': () => import('@sluice/tls.get_certificate'),
  '@sluice/tls.stek': () => import('@sluice/tls.stek'),
  '@sluice/caddy.network_proxy': () => import('@sluice/caddy.network_proxy'),
  '@sluice/caddy.fs': () => import('@sluice/caddy.fs'),
  '@sluice/caddy.storage': () => import('@sluice/caddy.storage'),
  '@sluice/caddy.adapters': () => import('@sluice/caddy.adapters'),
  '@sluice/caddy.config_loaders': () => import('@sluice/caddy.config_loaders'),
  '@sluice/caddy.logging.encoders': () => import('@sluice/caddy.logging.encoders'),
  '@sluice/caddy.logging.encoders.filter': () => import('@sluice/caddy.logging.encoders.filter'),
  '@sluice/caddy.logging.writers': () => import('@sluice/caddy.logging.writers'),
};

/** Registers every module that ships with the server. */
export async function registerStandard(registry: Registry): Promise<void> {
  const loaded = await Promise.all(Object.entries(packages).map(async ([name, load]) => ({ name, ...(await load()) })));
  registry.contribute(references, {
    name: '@sluice/server',
    load: async () => (await import('./reference.ts')).reference,
  });
  for (const { name, register } of loaded) registry.use(register, { package: name, version, standard: true });
}
