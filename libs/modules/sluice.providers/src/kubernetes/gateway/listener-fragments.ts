/** Configuration fragments that open the listeners of a Gateway, and respond to requests that match no route. */
import type { JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { fallbackOrders } from '../../common/fallback-orders.ts';
import { isStream } from '../kinds.ts';
import { hostMatchers, hostnameRank, intersection } from './hostnames.ts';
import { describeListener, listenerId, type ClientValidation, type Listener } from './listener.ts';
import { streamListenerFragment } from './stream-listener.ts';
import { quoteRegExp } from '../../common/text.ts';

/** Returns the fragments of a Gateway's listeners. Map keys are the last parts of the fragment keys. */
export function listenerFragments(listeners: readonly Listener[]): ReadonlyMap<string, Fragment> {
  const served = listeners.filter(({ isServed, protocol }) => isServed && !isStream(protocol));
  const fragments = new Map<string, Fragment>();
  for (const listener of listeners)
    if (listener.isServed && isStream(listener.protocol))
      fragments.set(listenerId(listener), streamListenerFragment(listener));
  for (const listener of served) {
    fragments.set(listenerId(listener), fragmentOf(listener));
    const misdirection = misdirectionOf(listener, served);
    if (misdirection !== null) fragments.set(`${listenerId(listener)}/421`, misdirection);
  }
  for (const [listen, [listener, ...others]] of Map.groupBy(served, (each) => each.listen)) {
    if (listener === undefined || [listener, ...others].some(({ hostname }) => hostname === '')) continue;
    fragments.set(`${listen}/404`, unmatchedOf(listener));
  }
  return fragments;
}

/** Returns the fragment that responds to requests whose host matches no listener. */
function unmatchedOf(listener: Listener): Fragment {
  return {
    object: `Gateway ${listener.gateway}`,
    rank: 'z',
    fallback: fallbackOrders.notFound,
    config: serverConfig(listener, { routes: [{ handle: [notFound], terminal: true }] }),
  };
}

const notFound: JsonObject = { handler: 'static_response', status_code: 404 };

function serverConfig(listener: Listener, options: JsonObject, otherApps: JsonObject = {}): JsonObject {
  const servers = { [serverName(listener)]: { ...serverOptions(listener), ...options } };
  return { apps: { http: { servers }, ...otherApps } };
}

/**
 * Returns the listener fragment: certificates, and a response to requests that match no route. The fragment is sorted after the listener's
 * routes. Requests therefore never reach a listener with a less specific hostname.
 */
function fragmentOf(listener: Listener): Fragment {
  const { hostname, certificates, clientValidation } = listener;
  const isTls = listener.scheme === 'https';
  // Present the listener's first certificate for every requested server name that has no other certificate.
  const [{ name: fallback } = { name: '' }] = certificates;
  const policy = {
    match: hostname === '' ? {} : { sni: [hostname] },
    certificate_selection: { any_tag: certificates.map(({ tag }) => tag) },
    ...(fallback === '' ? {} : { default_sni: fallback, fallback_sni: fallback }),
    ...(clientValidation === null ? {} : { client_authentication: clientAuthentication(clientValidation) }),
  };
  const route = {
    ...(hostname === '' ? {} : { match: [hostMatchers([hostname])] }),
    handle: [notFound],
    terminal: true,
  };
  const load_pem = certificates.map(({ certificate, key, tag }) => ({ certificate, key, tags: [tag] }));
  const config = isTls
    ? serverConfig(
        listener,
        { tls_connection_policies: [policy], routes: [route] },
        { tls: { certificates: { load_pem } } },
      )
    : serverConfig(listener, { routes: [route] });
  return {
    object: describeListener(listener),
    rank: `${hostnameRank(hostname)} z`,
    // Sort this response last, because other providers may have routes for the same port.
    ...(hostname === '' ? { fallback: fallbackOrders.notFound } : {}),
    config,
  };
}

function clientAuthentication({ authorities, isRequired }: ClientValidation): JsonObject {
  if (!isRequired) return { mode: 'request' };
  return { mode: 'require_and_verify', ca: { provider: 'inline', trusted_ca_certs: authorities } };
}

/**
 * Returns a fragment that rejects requests that arrive on another listener's connection (status 421, RFC 9110 §15.5.20). Clients reuse a
 * connection for all names in its certificate. Returns `null` if there is no other listener.
 */
function misdirectionOf(listener: Listener, listeners: readonly Listener[]): Fragment | null {
  const { hostname, scheme, listen } = listener;
  const others = listeners.filter((each) => each !== listener && each.listen === listen);
  if (scheme !== 'https' || others.length === 0) return null;
  const moreSpecific = others
    .filter((each) => each.hostname !== '' && intersection(hostname, [each.hostname])?.[0] === each.hostname)
    .map((each) => serverNameMatchers(each.hostname));
  const selected = {
    ...(hostname === '' ? {} : serverNameMatchers(hostname)),
    ...(moreSpecific.length === 0 ? {} : { not: moreSpecific }),
  };
  if (Object.keys(selected).length === 0) return null;
  const route = {
    match: [{ ...hostMatchers([hostname]), not: [selected] }],
    handle: [{ handler: 'static_response', status_code: 421 }],
    terminal: true,
  };
  return {
    object: describeListener(listener),
    rank: `${hostnameRank(hostname)} 0`,
    config: serverConfig(listener, { routes: [route] }),
  };
}

function serverNameMatchers(hostname: string): JsonObject {
  if (!hostname.startsWith('*.')) return { vars: { '{http.request.tls.server_name}': [hostname] } };
  const pattern = `^[^.]+${quoteRegExp(hostname.slice(1))}$`;
  return { vars_regexp: { '{http.request.tls.server_name}': { pattern } } };
}

export function serverName({ listen }: Listener): string {
  return `gateway_${listen}`;
}

/** Returns the server options. Every fragment contains them, because any fragment can come first in its server. */
export function serverOptions(listener: Listener): JsonObject {
  const known = optionsOf.get(listener);
  if (known !== undefined) return known;
  const { listen, scheme } = listener;
  // Enable h2c, because gRPC clients that don't use TLS use HTTP/2 with prior knowledge.
  const protocols = scheme === 'http' ? { protocols: ['h1', 'h2c'] } : {};
  const options = { listen: [listen], ...protocols, automatic_https: { disable: true } };
  optionsOf.set(listener, options);
  return options;
}

/** Server options, keyed by listener. All fragments of a listener share one object. */
const optionsOf = new WeakMap<Listener, JsonObject>();
