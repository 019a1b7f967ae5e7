/** Servers that all Ingresses share: one for HTTP and one for HTTPS. */
import type { Json, JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { fallbackOrders } from '../../common/fallback-orders.ts';
import { pairOf } from '../gateway/listeners.ts';
import { hostnameRank } from '../gateway/hostnames.ts';
import { resolveService } from './backends.ts';
import { ingressTargets, type IngressScope } from './scope.ts';
import type { IngressSettings } from './settings.ts';

export type Scheme = 'http' | 'https';

/** Name of the named route that handles requests that match no path. */
const defaultRoute = 'ingress_default_backend';

/** Returns the configuration of the enabled servers. A value of `null` disables a server. */
export function serversConfig(
  settings: IngressSettings,
  optionsOf: (scheme: Scheme) => JsonObject | null,
  otherApps: JsonObject = {},
): JsonObject {
  const servers: Record<string, Json> = {};
  for (const scheme of ['http', 'https'] as const) {
    const options = settings[scheme] === '' ? null : optionsOf(scheme);
    if (options !== null) servers[`ingress_${scheme}`] = { ...serverOptions(settings, scheme), ...options };
  }
  return { apps: { http: { servers }, ...otherApps } };
}

/** Returns the server options. Every fragment contains them, because any fragment can come first in its server. */
function serverOptions(settings: IngressSettings, scheme: Scheme): JsonObject {
  const ranges = settings.trustedProxies;
  return {
    listen: [settings[scheme]],
    automatic_https: { disable: true },
    ...(ranges.length === 0 ? {} : { trusted_proxies: { source: 'static', ranges } }),
  };
}

export function hostMatcher(host: string): JsonObject {
  return host === '' ? {} : { host: [host] };
}

/** Sort keys for the parts of a host's routes. */
export const places = { checks: '0', redirects: '1', paths: '5', defaultBackend: '8', unmatched: '9' } as const;

export function rankOf(host: string, place: keyof typeof places, rest = ''): string {
  return `${hostnameRank(host)} ${places[place]} ${rest}`;
}

/** Returns the response to requests that match no path. */
export function unmatched(settings: IngressSettings): JsonObject {
  return settings.defaultBackend === ''
    ? { handler: 'static_response', status_code: 404 }
    : { handler: 'invoke', name: defaultRoute };
}

/** Returns the fragment that opens the HTTP and HTTPS servers. */
export function baseFragment(scope: IngressScope): Fragment {
  const { settings } = scope;
  const certificate = defaultCertificate(scope);
  const named: JsonObject =
    settings.defaultBackend === '' ? {} : { named_routes: { [defaultRoute]: { handle: defaultHandlers(scope) } } };
  const policy = {
    match: {},
    ...(certificate === null
      ? {}
      : {
          certificate_selection: { any_tag: [certificate.tag] },
          default_sni: certificate.name,
          fallback_sni: certificate.name,
        }),
  };
  return {
    object: 'default backend',
    rank: 'z',
    fallback: settings.defaultBackend === '' ? fallbackOrders.notFound : fallbackOrders.defaultBackend,
    config: serversConfig(
      settings,
      (scheme) => ({
        ...(scheme === 'https' ? { tls_connection_policies: [policy] } : {}),
        ...named,
        routes: [{ handle: [unmatched(settings)], terminal: true }],
      }),
      certificate === null ? {} : { tls: { certificates: { load_pem: [certificate.loaded] } } },
    ),
  };
}

function defaultHandlers(scope: IngressScope): readonly JsonObject[] {
  const { dials, problem } = resolveService(scope.settings.defaultBackend, '', scope);
  if (problem !== null) scope.annotations.warn('default_backend', problem);
  if (dials.length === 0) return [{ handler: 'static_response', status_code: 404 }];
  return [{ handler: 'reverse_proxy', upstreams: dials.map((dial) => ({ dial })) }];
}

export interface LoadedCertificate {
  readonly tag: string;
  readonly name: string;
  readonly loaded: JsonObject;
}

function defaultCertificate(scope: IngressScope): LoadedCertificate | null {
  const { settings, annotations } = scope;
  if (settings.defaultCertificate === '') return null;
  const found = certificateOf(settings.defaultCertificate, scope);
  if (typeof found !== 'string') return found;
  annotations.warn('default_certificate', found);
  return null;
}

/** Returns the certificate and key in a Secret, or the reason why the Secret has no valid certificate. */
export function certificateOf(
  key: string,
  { view, dependsOn }: Pick<IngressScope, 'view' | 'dependsOn'>,
): LoadedCertificate | string {
  dependsOn.add(ingressTargets.secret(key));
  const secret = view.secret(key);
  if (secret === null || secret === undefined)
    return `Secret ${key} ${secret === null ? 'has not been read yet' : "doesn't exist"}`;
  const pair = pairOf(secret);
  if (typeof pair === 'string') return `Secret ${key}: ${pair}`;
  const { certificate, key: privateKey, name, tag } = pair;
  return { tag, name, loaded: { certificate, key: privateKey, tags: [tag] } };
}
