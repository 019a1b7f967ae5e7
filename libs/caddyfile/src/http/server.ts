/** Makes a server of a pairing of listeners and sites. */
import type { Json } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { asJson, compact } from '../json.ts';
import { carryOrigin } from '../sources/origins.ts';
import type { Assembly } from './directive-reader.ts';
import type { Pairing } from './listeners.ts';
import type { AutomaticHttps, Server } from './server-model.ts';
import { ServerLogs } from './server-logs.ts';
import { ServerTls } from './server-tls.ts';
import { siteRoutes } from './site-routes.ts';
import type { ConnectionPolicy } from './tls-values.ts';
import { joinRoutes } from './route-list.ts';

/** Makes a server of a pairing whose sites are sorted. `index` numbers it. */
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

/** Two sites of one address would hide each other. */
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

const policyFields: readonly (keyof ConnectionPolicy)[] = [
  'match',
  'certificate_selection',
  'cipher_suites',
  'curves',
  'alpn',
  'protocol_min',
  'protocol_max',
  'client_authentication',
  'default_sni',
  'fallback_sni',
  'insecure_secrets_log',
];

/** The policy with its fields in the usual order. */
function policyJson(policy: ConnectionPolicy): Json {
  const json: Record<string, Json> = {};
  for (const field of policyFields) if (policy[field] !== undefined) json[field] = asJson(policy[field]);
  return carryOrigin(policy, json);
}

/** The server as the native JSON has it. */
export function serverJson(server: Server): Json {
  const { listeners, routes, errorRoutes, namedRoutes, policies, automaticHttps, logs, settings } = server;
  const protocols = listeners.map((listener) => (listener.protocols.length === 0 ? null : listener.protocols));
  const json: Record<string, Json> = {
    ...compact({ listen: listeners.map(({ address }) => address), ...before(settings), routes: asJson(routes) }),
  };
  if (errorRoutes !== null) json['errors'] = { routes: asJson(errorRoutes) };
  Object.assign(json, compact({ named_routes: namedRoutes, tls_connection_policies: policies.map(policyJson) }));
  if (automaticHttps !== null) json['automatic_https'] = asJson(automaticHttps);
  Object.assign(json, between(settings));
  if (logs !== null) json['logs'] = { ...logs.json(), ...(settings['logs'] as object | undefined) };
  else if (settings['logs'] !== undefined) json['logs'] = settings['logs'];
  if (settings['protocols'] !== undefined) json['protocols'] = settings['protocols'];
  if (protocols.some((each) => each !== null)) json['listen_protocols'] = asJson(protocols);
  Object.assign(json, after(settings));
  return json;
}

const late = new Set([
  'strict_sni_host',
  'trusted_proxies',
  'client_ip_headers',
  'trusted_proxies_strict',
  'trusted_proxies_unix',
]);
const last = new Set(['allow_0rtt', 'metrics']);
const elsewhere = new Set(['logs', 'protocols']);

function before(settings: Readonly<Record<string, Json>>): Record<string, Json> {
  return pick(settings, (key) => !late.has(key) && !last.has(key) && !elsewhere.has(key));
}

function between(settings: Readonly<Record<string, Json>>): Record<string, Json> {
  return pick(settings, (key) => late.has(key));
}

function after(settings: Readonly<Record<string, Json>>): Record<string, Json> {
  return pick(settings, (key) => last.has(key));
}

function pick(settings: Readonly<Record<string, Json>>, wanted: (key: string) => boolean): Record<string, Json> {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => wanted(key)));
}
