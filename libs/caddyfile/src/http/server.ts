/** Builds a server from listeners and the sites that they serve. */
import type { Json } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { asJson, compact, inOrder } from '../json.ts';
import { carryOrigin } from '../sources/origins.ts';
import type { Assembly } from './directive-reader.ts';
import type { Pairing } from './listeners.ts';
import type { AutomaticHttps, Server } from './server-model.ts';
import { ServerLogs } from './server-logs.ts';
import { ServerTls } from './server-tls.ts';
import { siteRoutes } from './site-routes.ts';
import { joinRoutes } from './route-list.ts';

/** Builds a server from a group of listeners and their sorted sites. `index` is the server number. */
export function makeServer(pairing: Pairing, index: number, assembly: Assembly): Server {
  refuseAmbiguous(pairing);
  const { sites } = pairing;
  const logged = sites.some((site) => site.values('custom_log').length > 0);
  const server: Server = {
    name: `srv${index}`,
    listeners: pairing.listeners,
    routes: [],
    errorRoutes: null,
    namedRoutes: {},
    policies: [],
    automaticHttps: automaticHttpsOf(assembly),
    logs: logged ? new ServerLogs() : null,
    settings: {},
  };
  const tls = new ServerTls(server, assembly.options);
  for (const site of sites) {
    tls.addSite(site);
    const { routes, errorRoutes, named } = siteRoutes(site, sites.length === 1, assembly);
    server.routes.push(...routes);
    if (errorRoutes !== null) server.errorRoutes = [...(server.errorRoutes ?? []), ...errorRoutes];
    Object.assign(server.namedRoutes, named);
    server.logs?.addSite(site);
  }
  tls.finish(sites);
  server.routes = joinRoutes(server.routes);
  return server;
}

/** Throws if two sites have the same address, because one site would be unreachable. */
function refuseAmbiguous({ sites }: Pairing): void {
  const owners = new Map<string, object>();
  for (const site of sites) {
    for (const { original } of site.addresses) {
      const owner = owners.get(original);
      if (owner !== undefined && owner !== site) {
        const key = site.block.keys.find(({ text }) => text === original);
        throw caddyfileError(`ambiguous site definition: ${original}`, undefined, key);
      }
      owners.set(original, site);
    }
  }
}

function automaticHttpsOf({ options }: Assembly): AutomaticHttps | null {
  const modes = options.get<readonly string[]>('auto_https') ?? [];
  if (modes.includes('off')) return { disable: true };
  const settings: AutomaticHttps = {};
  if (modes.includes('disable_redirects')) settings.disable_redirects = true;
  if (modes.includes('disable_certs')) settings.disable_certificates = true;
  if (modes.includes('ignore_loaded_certs')) settings.ignore_loaded_certificates = true;
  return Object.keys(settings).length === 0 ? null : settings;
}

/** Fields of connection policies, in the same order as in Caddy's JSON. */
const policyFields = [
  'match certificate_selection cipher_suites curves alpn protocol_min protocol_max client_authentication',
  'default_sni fallback_sni insecure_secrets_log',
].flatMap((names) => names.split(' '));

/** Fields of servers, in the same order as in Caddy's JSON. */
const serverFields = [
  'listen listener_wrappers packet_conn_wrappers read_timeout read_header_timeout write_timeout idle_timeout',
  'keepalive_interval keepalive_idle keepalive_count max_header_bytes enable_full_duplex error_pages routes errors',
  'named_routes tls_connection_policies automatic_https strict_sni_host trusted_proxies client_ip_headers',
  'trusted_proxies_strict trusted_proxies_unix logs protocols listen_protocols metrics allow_0rtt',
].flatMap((names) => names.split(' '));

export function serverJson(server: Server): Json {
  const { listeners, routes, errorRoutes, namedRoutes, policies, automaticHttps, logs, settings } = server;
  const protocols = listeners.map((listener) => (listener.protocols.length === 0 ? null : listener.protocols));
  const { logs: logSettings, ...others } = settings;
  const fields = {
    ...others,
    ...compact({
      listen: listeners.map(({ address }) => address),
      routes: asJson(routes),
      named_routes: namedRoutes,
      tls_connection_policies: policies.map((policy) => carryOrigin(policy, inOrder(policy, policyFields))),
    }),
    errors: errorRoutes === null ? undefined : { routes: errorRoutes },
    automatic_https: automaticHttps ?? undefined,
    logs: logs === null ? logSettings : { ...logs.json(), ...(logSettings as object | undefined) },
    listen_protocols: protocols.some((each) => each !== null) ? protocols : undefined,
  };
  return inOrder(fields, serverFields);
}
