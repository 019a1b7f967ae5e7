/** Traefik entry points. Routers are added to an entry point as routes of a server. */
import type { JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { fallbackOrders } from '../../common/fallback-orders.ts';
import type { LabelOptions } from './labels.ts';

/** Listen addresses, keyed by entry point name. */
export type EntryPoints = Readonly<Record<string, string>>;

/** An entry point of a router: its name and address. */
export type EntryPoint = readonly [name: string, address: string];

export interface ChosenEntryPoints {
  readonly entryPoints: readonly EntryPoint[];
  /** Unknown entry point names. The router is served on its other entry points. */
  readonly unknown: readonly string[];
}

/**
 * Returns the entry points of a router. If `entrypoints` is not set, a router that uses TLS gets all entry points on port 443. Other
 * routers get the remaining entry points.
 */
export function entryPointsOf(options: LabelOptions, all: EntryPoints): ChosenEntryPoints {
  const isTls = options.boolean('tls') ?? options.hasPrefix('tls.');
  options.text('tls.certresolver');
  // TLS options other than `default` can require client certificates.
  if ((options.text('tls.options') ?? 'default') !== 'default')
    throw options.error('tls.options', 'TLS options are not supported');
  const names = options.list('entrypoints');
  if (names.length === 0) {
    const entryPoints = Object.entries(all).filter(([, address]) => isTlsAddress(address) === isTls);
    return { entryPoints, unknown: [] };
  }
  const [known, unknown] = [
    names.filter((name) => Object.hasOwn(all, name)),
    names.filter((name) => !Object.hasOwn(all, name)),
  ];
  if (known.length === 0) throw options.error('entrypoints', unknownEntryPoint(unknown));
  const entryPoints = known.map((name): EntryPoint => {
    const address = all[name] ?? '';
    if (isTls && /(?:^|:)80$/.test(address))
      throw options.error('entrypoints', `the entry point ${name} has no TLS, which the router requires`);
    return [name, address];
  });
  return { entryPoints, unknown };
}

export function unknownEntryPoint(names: readonly string[]): string {
  return `unknown entry point ${names.join(', ')}; add it to the provider's entry_points`;
}

/** Returns a server that contains a route. Every fragment contains the server options, because any fragment can come first in its server. */
export function serverOf(address: string, match: readonly JsonObject[], handle: readonly JsonObject[]): JsonObject {
  const isTls = isTlsAddress(address);
  const routes = [{ handle: [isTls ? forwardedFields.https : forwardedFields.http, ...handle] }];
  return {
    ...serverOptions(address),
    routes: [{ match: [...match], handle: [{ handler: 'subroute', routes }], terminal: true }],
  };
}

/** Returns a fragment that responds with 404 to requests that match no router of an entry point. */
export function notFoundOf([name, address]: EntryPoint): Fragment {
  const route = { handle: [{ handler: 'static_response', status_code: 404 }], terminal: true };
  return {
    object: `entry point ${name}`,
    rank: 'z',
    fallback: fallbackOrders.notFound,
    config: { apps: { http: { servers: { [name]: { ...serverOptions(address), routes: [route] } } } } },
  };
}

function serverOptions(address: string): JsonObject {
  return { listen: [address], ...(isTlsAddress(address) ? {} : { automatic_https: { disable: true } }) };
}

function isTlsAddress(address: string): boolean {
  return /(?:^|:)443$/.test(address);
}

/** Sets the fields that the proxy itself does not set. A client's values are kept only if the client is a trusted proxy. */
function fieldsOf(port: string): JsonObject {
  const trusted = { vars: { '{http.vars.trusted_proxy}': ['true'] } };
  const withoutPort = { vars: { '{http.request.port}': [''] } };
  const setting = (fields: Readonly<Record<string, string>>, removed: readonly string[] = []): JsonObject => ({
    handler: 'headers',
    request: {
      set: Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, [value]])),
      ...(removed.length === 0 ? {} : { delete: [...removed] }),
    },
  });
  return {
    handler: 'subroute',
    routes: [
      { handle: [setting({ 'X-Real-Ip': '{http.vars.client_ip}' })] },
      {
        match: [{ not: [trusted] }],
        handle: [setting({ 'X-Forwarded-Server': '{system.hostname}', 'X-Forwarded-Port': port }, untrustedFields)],
      },
      {
        match: [{ not: [trusted, withoutPort] }],
        handle: [setting({ 'X-Forwarded-Port': '{http.request.port}' })],
      },
    ],
  };
}

const untrustedFields: readonly string[] = [
  'X-Forwarded-Prefix',
  'X-Forwarded-Uri',
  'X-Forwarded-Method',
  'X-Forwarded-Tls-Client-Cert',
  'X-Forwarded-Tls-Client-Cert-Info',
];

const forwardedFields = { http: fieldsOf('80'), https: fieldsOf('443') };
