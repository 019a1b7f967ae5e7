/** A registry with all modules that Caddyfile directives need. */
import { register as registerEvents } from '@sluice/events-app';
import { register as registerEventHandlers } from '@sluice/events.handlers';
import { register as registerHttp } from '@sluice/http-app';
import { register as registerAuthentication } from '@sluice/http.authentication.providers';
import { register as registerEncoders } from '@sluice/http.encoders';
import { register as registerHandlers } from '@sluice/http.handlers';
import { register as registerIpSources } from '@sluice/http.ip_sources';
import { register as registerMatchers } from '@sluice/http.matchers';
import { register as registerPrecompressed } from '@sluice/http.precompressed';
import { register as registerProxyParts } from '@sluice/http.reverse_proxy';
import { register as registerLayer4 } from '@sluice/layer4-app';
import { register as registerLayer4Handlers } from '@sluice/layer4.handlers';
import { register as registerLayer4Matchers } from '@sluice/layer4.matchers';
import { register as registerLayer4Policies } from '@sluice/layer4.proxy';
import { register as registerHandshakeMatchers } from '@sluice/tls.handshake_match';
import { register as registerAdapters } from '@sluice/caddy.adapters';
import { register as registerListeners } from '@sluice/caddy.listeners';
import { register as registerLogEncoders } from '@sluice/caddy.logging.encoders';
import { register as registerLogFilters } from '@sluice/caddy.logging.encoders.filter';
import { register as registerLogWriters } from '@sluice/caddy.logging.writers';
import { register as registerNetworkProxies } from '@sluice/caddy.network_proxy';
import { register as registerStorage } from '@sluice/caddy.storage';
import { register as registerPki } from '@sluice/pki-app';
import { Registry } from '@sluice/registry';
import { register as registerTls } from '@sluice/tls-app';
import { register as registerCaPools } from '@sluice/tls.ca_pool.source';
import { register as registerVerifiers } from '@sluice/tls.client_auth.verifier';
import { register as registerManagers } from '@sluice/tls.get_certificate';
import { register as registerIssuers } from '@sluice/tls.issuance';
import { register as registerLeafLoaders } from '@sluice/tls.leaf_cert_loader';
import { register as registerPermissions } from '@sluice/tls.permission';

export function standardRegistry(): Registry {
  const registry = new Registry();
  const packages = [
    registerEvents,
    registerEventHandlers,
    registerPki,
    registerTls,
    registerHttp,
    registerHandlers,
    registerAuthentication,
    registerMatchers,
    registerPrecompressed,
    registerIpSources,
    registerProxyParts,
    registerEncoders,
    registerIssuers,
    registerListeners,
    registerCaPools,
    registerVerifiers,
    registerLeafLoaders,
    registerPermissions,
    registerManagers,
    registerNetworkProxies,
    registerStorage,
    registerAdapters,
    registerLogEncoders,
    registerLogFilters,
    registerLogWriters,
    registerLayer4,
    registerLayer4Handlers,
    registerLayer4Matchers,
    registerLayer4Policies,
    registerHandshakeMatchers,
  ];
  for (const register of packages) registry.use(register);
  return registry;
}
