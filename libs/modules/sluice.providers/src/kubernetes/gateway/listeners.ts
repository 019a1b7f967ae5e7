/** Listeners of a Gateway: their state, and the configuration that opens them. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { JsonObject } from '@sluice/base';
import type { Fragment } from '@sluice/providers-app/contract';
import { keyOf, type Gateway, type GatewayListener, type Secret } from '../objects.ts';
import { targets, type Scope } from './cluster-view.ts';
import { fails, holds, type Finding } from './conditions.ts';
import { gatewayGroup, isPermitted } from './grants.ts';
import type { Listener, RouteKind } from './listener.ts';
import { hostMatchers, hostnameRank, intersection } from './hostnames.ts';
import { quoteRegExp } from './text.ts';

const httpRouteKind: RouteKind = { group: gatewayGroup, kind: 'HTTPRoute' };

/**
 * Returns the listeners of a Gateway.
 *
 * @param address Address to listen on; empty = all addresses.
 * @param schemes Schemes by address and port, of older Gateways. Receives those of this one.
 */
export function listenersOf(
  gateway: Gateway,
  address: string,
  schemes: Map<string, string>,
  scope: Scope,
): readonly Listener[] {
  const conflicts = conflictsOf(gateway.spec.listeners);
  return gateway.spec.listeners.map((listener, i) => {
    const { kinds, problem } = kindsOf(listener);
    const isSupported = listener.protocol === 'HTTP' || listener.protocol === 'HTTPS';
    const listen = `${address.includes(':') ? `[${address}]` : address}:${listener.port}`;
    const scheme = listener.protocol === 'HTTPS' ? 'https' : 'http';
    const conflict = conflicts[i] ?? conflictWith(schemes.get(listen) ?? scheme, scheme, listener.port);
    if (conflict === null && isSupported) schemes.set(listen, scheme);
    const references: Finding[] = problem === null ? [] : [problem];
    const certificates: Listener['certificates'][number][] = [];
    if (listener.protocol === 'HTTPS') {
      const read = certificatesOf(listener, scope);
      certificates.push(...read.certificates);
      references.push(...read.problems);
    }
    const accepted =
      conflict !== null
        ? fails('Accepted', conflict.reason, conflict.message)
        : isSupported
          ? holds('Accepted')
          : fails('Accepted', 'UnsupportedProtocol', `protocol ${listener.protocol} is not supported`);
    const [reference] = references;
    const isServed = accepted.isTrue && (listener.protocol !== 'HTTPS' || certificates.length > 0);
    return {
      gateway: keyOf(gateway),
      namespace: scope.namespace,
      name: listener.name,
      listen,
      port: listener.port,
      scheme,
      hostname: (listener.hostname ?? '').toLowerCase(),
      isServed: isServed && kinds.length > 0,
      kinds: isSupported ? kinds : [],
      allowed: listener.allowedRoutes?.namespaces ?? {},
      findings: [
        accepted,
        isServed && reference === undefined
          ? holds('Programmed')
          : fails('Programmed', 'Invalid', 'the listener is invalid; see its other conditions'),
        reference ?? holds('ResolvedRefs'),
        conflict === null
          ? { type: 'Conflicted', isTrue: false, reason: 'NoConflicts', message: '' }
          : holds('Conflicted', conflict.reason, conflict.message),
      ],
      certificates,
    };
  });
}

/**
 * Returns the fragment of a listener: its certificates, and a response for requests without a route. It follows the
 * routes of the listener, so that no request falls through to a listener with a less specific hostname.
 */
export function fragmentOf(listener: Listener): Fragment | null {
  if (!listener.isServed) return null;
  const { hostname, gateway, name, certificates } = listener;
  const tag = `gateway/${gateway}/${name}`;
  const isTls = listener.scheme === 'https';
  const policy = {
    match: hostname === '' ? {} : { sni: [hostname] },
    certificate_selection: { any_tag: [tag] },
  };
  const route = {
    ...(hostname === '' ? {} : { match: [hostMatchers([hostname])] }),
    handle: [{ handler: 'static_response', status_code: 404 }],
    terminal: true,
  };
  return {
    object: `Gateway ${gateway}, listener ${name}`,
    rank: `${hostnameRank(hostname)} z`,
    config: {
      apps: {
        http: {
          servers: {
            [serverName(listener)]: {
              ...serverOptions(listener),
              ...(isTls ? { tls_connection_policies: [policy] } : {}),
              routes: [route],
            },
          },
        },
        ...(isTls
          ? { tls: { certificates: { load_pem: certificates.map((each) => ({ ...each, tags: [tag] })) } } }
          : {}),
      },
    },
  };
}

/**
 * Returns a fragment that rejects requests whose connection belongs to another listener (status 421, RFC 9110
 * §15.5.20). Clients reuse a connection for all names of its certificate. `null` if there is no such listener.
 */
export function misdirectionOf(listener: Listener, listeners: readonly Listener[]): Fragment | null {
  const { gateway, name, hostname, scheme, listen, isServed } = listener;
  const others = listeners.filter((each) => each !== listener && each.listen === listen && each.isServed);
  if (scheme !== 'https' || !isServed || others.length === 0) return null;
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
    object: `Gateway ${gateway}, listener ${name}`,
    rank: `${hostnameRank(hostname)} 0`,
    config: {
      apps: { http: { servers: { [serverName(listener)]: { ...serverOptions(listener), routes: [route] } } } },
    },
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

/** Options that each fragment has, because any of them can be the first one of a server. */
export function serverOptions({ listen }: Listener): JsonObject {
  return { listen: [listen], automatic_https: { disable: true } };
}

function kindsOf({ allowedRoutes }: GatewayListener): { kinds: readonly RouteKind[]; problem: Finding | null } {
  const wanted = allowedRoutes?.kinds ?? [];
  if (wanted.length === 0) return { kinds: [httpRouteKind], problem: null };
  const isSupported = ({ group = gatewayGroup, kind }: (typeof wanted)[number]): boolean =>
    group === gatewayGroup && kind === 'HTTPRoute';
  const invalid = wanted.find((each) => !isSupported(each));
  return {
    kinds: wanted.some(isSupported) ? [httpRouteKind] : [],
    problem:
      invalid === undefined
        ? null
        : fails('ResolvedRefs', 'InvalidRouteKinds', `route kind ${invalid.kind} is not supported`),
  };
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

function conflictWith(older: string, scheme: string, port: number): Conflict | null {
  if (older === scheme) return null;
  return { reason: 'ProtocolConflict', message: `port ${port} is used for ${older} by an older Gateway` };
}

/** Listeners of one port must have the same protocol and different hostnames. */
function conflictsOf(listeners: readonly GatewayListener[]): readonly (Conflict | null)[] {
  return listeners.map(({ port, protocol, hostname = '' }, i) => {
    const others = listeners.filter((each, j) => j !== i && each.port === port);
    if (others.some((each) => each.protocol !== protocol))
      return { reason: 'ProtocolConflict', message: `port ${port} has listeners with different protocols` };
    if (others.some((each) => (each.hostname ?? '') === hostname))
      return { reason: 'HostnameConflict', message: `port ${port} has several listeners for the same hostname` };
    return null;
  });
}

function certificatesOf(
  listener: GatewayListener,
  { namespace: gatewayNamespace, view, dependsOn }: Scope,
): { certificates: readonly { certificate: string; key: string }[]; problems: readonly Finding[] } {
  const certificates: { certificate: string; key: string }[] = [];
  const problems: Finding[] = [];
  const invalid = (message: string): number => problems.push(fails('ResolvedRefs', 'InvalidCertificateRef', message));
  if (listener.tls?.mode === 'Passthrough') invalid('mode Passthrough is not supported for protocol HTTPS');
  for (const { group = '', kind = 'Secret', name, namespace = gatewayNamespace } of listener.tls?.certificateRefs ??
    []) {
    if (group !== '' || kind !== 'Secret') {
      invalid(`certificate ${name} has the unsupported kind ${kind}`);
      continue;
    }
    const key = `${namespace}/${name}`;
    if (namespace !== gatewayNamespace) {
      dependsOn.add(targets.grants(namespace));
      const from = { kind: 'Gateway', namespace: gatewayNamespace } as const;
      if (!isPermitted(from, { kind: 'Secret', namespace, name }, view.grantsIn(namespace))) {
        problems.push(
          fails('ResolvedRefs', 'RefNotPermitted', `no ReferenceGrant permits the reference to Secret ${key}`),
        );
        continue;
      }
    }
    dependsOn.add(targets.secret(key));
    const secret = view.secret(key);
    if (secret === undefined || secret === null) {
      invalid(`Secret ${key} ${secret === null ? 'has not been read yet' : "doesn't exist"}`);
      continue;
    }
    const pair = pairOf(secret);
    if (typeof pair === 'string') invalid(`Secret ${key}: ${pair}`);
    else certificates.push(pair);
  }
  if (certificates.length === 0 && problems.length === 0) invalid('the listener has no certificateRefs');
  return { certificates, problems };
}

/** Returns the certificate of a Secret, or the reason why it has none. */
function pairOf({ data }: Secret): { certificate: string; key: string } | string {
  const text = (name: string): string => Buffer.from(data?.[name] ?? '', 'base64').toString();
  const [certificate, key] = [text('tls.crt'), text('tls.key')];
  try {
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key)))
      return 'the key is not that of the certificate';
  } catch {
    return 'tls.crt or tls.key is not in PEM format';
  }
  return { certificate, key };
}
