/** Built-in packages, which every thread registers in the same order. */
import { register as adminApi } from '@sluice/admin-api';
import { register as caddyAdapters } from '@sluice/caddy.adapters';
import { register as caddyConfigLoaders } from '@sluice/caddy.config_loaders';
import { register as caddyFs } from '@sluice/caddy.fs';
import { register as caddyListeners } from '@sluice/caddy.listeners';
import { register as caddyLoggingEncoders } from '@sluice/caddy.logging.encoders';
import { register as caddyLoggingEncodersFilter } from '@sluice/caddy.logging.encoders.filter';
import { register as caddyLoggingWriters } from '@sluice/caddy.logging.writers';
import { register as caddyNetworkProxy } from '@sluice/caddy.network_proxy';
import { register as caddyStorage } from '@sluice/caddy.storage';
import { register as dnsProviders } from '@sluice/dns.providers';
import { register as dynamicDnsApp } from '@sluice/dynamic-dns-app';
import { register as dynamicDnsIpSources } from '@sluice/dynamic_dns.ip_sources';
import { register as reconciler } from '@sluice/reconciler';
import { register as eventsApp } from '@sluice/events-app';
import { register as eventsHandlers } from '@sluice/events.handlers';
import { register as fleet } from '@sluice/fleet/register';
import { register as httpAnalysis } from '@sluice/http-analysis';
import { register as httpApp } from '@sluice/http-app';
import { register as httpAuthenticationHashes } from '@sluice/http.authentication.hashes';
import { register as httpAuthenticationProviders } from '@sluice/http.authentication.providers';
import { register as httpEncoders } from '@sluice/http.encoders';
import { register as httpHandlers } from '@sluice/http.handlers';
import { register as httpIpSources } from '@sluice/http.ip_sources';
import { register as httpMatchers } from '@sluice/http.matchers';
import { register as httpPrecompressed } from '@sluice/http.precompressed';
import { register as httpReverseProxy } from '@sluice/http.reverse_proxy';
import { register as layer4App } from '@sluice/layer4-app';
import { register as layer4Handlers } from '@sluice/layer4.handlers';
import { register as layer4Matchers } from '@sluice/layer4.matchers';
import { register as layer4Proxy } from '@sluice/layer4.proxy';
import { register as httpObservability } from '@sluice/http-observability';
import { register as pkiApp } from '@sluice/pki-app';
import { register as rollout } from '@sluice/rollout/register';
import { register as sluiceFleetStores } from '@sluice/sluice.fleet.stores';
import { register as telemetry } from '@sluice/telemetry';
import { register as providersApp } from '@sluice/providers-app';
import { register as sluiceProviders } from '@sluice/sluice.providers';
import { register as tlsApp } from '@sluice/tls-app';
import { register as tlsCaPoolSource } from '@sluice/tls.ca_pool.source';
import { register as tlsCertificates } from '@sluice/tls.certificates';
import { register as tlsClientAuthVerifier } from '@sluice/tls.client_auth.verifier';
import { register as tlsGetCertificate } from '@sluice/tls.get_certificate';
import { register as tlsHandshakeMatch } from '@sluice/tls.handshake_match';
import { register as tlsIssuance } from '@sluice/tls.issuance';
import { register as tlsLeafCertLoader } from '@sluice/tls.leaf_cert_loader';
import { register as tlsPermission } from '@sluice/tls.permission';
import { register as tlsStek } from '@sluice/tls.stek';
import { references, type Register, type Registry } from '@sluice/registry';
import { version } from './version.ts';

/**
 * Built-in packages by name. This file imports only the `register` function of each package. The import loads no modules, so a bundle loads
 * nothing else at startup.
 */
const packages: readonly (readonly [name: string, register: Register])[] = [
  ['@sluice/reconciler', reconciler],
  ['@sluice/telemetry', telemetry],
  ['@sluice/admin-api', adminApi],
  ['@sluice/fleet', fleet],
  ['@sluice/rollout', rollout],
  ['@sluice/events-app', eventsApp],
  ['@sluice/events.handlers', eventsHandlers],
  ['@sluice/pki-app', pkiApp],
  ['@sluice/tls-app', tlsApp],
  ['@sluice/http-app', httpApp],
  ['@sluice/http-observability', httpObservability],
  ['@sluice/http-analysis', httpAnalysis],
  ['@sluice/http.handlers', httpHandlers],
  ['@sluice/http.matchers', httpMatchers],
  ['@sluice/http.ip_sources', httpIpSources],
  ['@sluice/http.reverse_proxy', httpReverseProxy],
  ['@sluice/http.authentication.providers', httpAuthenticationProviders],
  ['@sluice/http.authentication.hashes', httpAuthenticationHashes],
  ['@sluice/http.encoders', httpEncoders],
  ['@sluice/http.precompressed', httpPrecompressed],
  ['@sluice/layer4-app', layer4App],
  ['@sluice/layer4.matchers', layer4Matchers],
  ['@sluice/layer4.handlers', layer4Handlers],
  ['@sluice/layer4.proxy', layer4Proxy],
  ['@sluice/tls.certificates', tlsCertificates],
  ['@sluice/tls.handshake_match', tlsHandshakeMatch],
  ['@sluice/tls.issuance', tlsIssuance],
  ['@sluice/dynamic-dns-app', dynamicDnsApp],
  ['@sluice/dns.providers', dnsProviders],
  ['@sluice/dynamic_dns.ip_sources', dynamicDnsIpSources],
  ['@sluice/caddy.listeners', caddyListeners],
  ['@sluice/tls.ca_pool.source', tlsCaPoolSource],
  ['@sluice/tls.client_auth.verifier', tlsClientAuthVerifier],
  ['@sluice/tls.leaf_cert_loader', tlsLeafCertLoader],
  ['@sluice/tls.permission', tlsPermission],
  ['@sluice/tls.get_certificate', tlsGetCertificate],
  ['@sluice/tls.stek', tlsStek],
  ['@sluice/caddy.network_proxy', caddyNetworkProxy],
  ['@sluice/caddy.fs', caddyFs],
  ['@sluice/caddy.storage', caddyStorage],
  ['@sluice/caddy.adapters', caddyAdapters],
  ['@sluice/caddy.config_loaders', caddyConfigLoaders],
  ['@sluice/sluice.fleet.stores', sluiceFleetStores],
  ['@sluice/providers-app', providersApp],
  ['@sluice/sluice.providers', sluiceProviders],
  ['@sluice/caddy.logging.encoders', caddyLoggingEncoders],
  ['@sluice/caddy.logging.encoders.filter', caddyLoggingEncodersFilter],
  ['@sluice/caddy.logging.writers', caddyLoggingWriters],
];

/** Registers all built-in modules. */
export function registerStandard(registry: Registry): void {
  registry.contribute(references, { name: '@sluice/server', load: () => import('./reference.ts') });
  for (const [name, register] of packages) registry.use(register, { package: name, version, standard: true });
}
