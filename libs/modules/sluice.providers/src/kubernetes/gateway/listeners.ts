/** State of Gateway listeners. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { joinHostPort } from '@sluice/base';
import { keyOf, type Gateway, type GatewayListener, type Secret } from '../objects.ts';
import { targets, type Scope } from './cluster-view.ts';
import { fails, holds, type Finding } from './conditions.ts';
import { gatewayGroup, isPermitted } from './grants.ts';
import type { CertificatePair, Listener, RouteKind } from './listener.ts';

const httpRouteKind: RouteKind = { group: gatewayGroup, kind: 'HTTPRoute' };

/**
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
    const listen = joinHostPort(address, listener.port);
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
): { certificates: readonly CertificatePair[]; problems: readonly Finding[] } {
  const certificates: CertificatePair[] = [];
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

/** Returns the certificate of a Secret, or the reason for its absence. */
function pairOf({ data }: Secret): CertificatePair | string {
  const text = (name: string): string => Buffer.from(data?.[name] ?? '', 'base64').toString();
  const [certificate, key] = [text('tls.crt'), text('tls.key')];
  try {
    const parsed = new X509Certificate(certificate);
    if (!parsed.checkPrivateKey(createPrivateKey(key))) return 'the key is not that of the certificate';
    return { certificate, key, name: nameOf(parsed), tag: `kubernetes ${parsed.fingerprint256}` };
  } catch {
    return 'tls.crt or tls.key is not in PEM format';
  }
}

function nameOf({ subjectAltName = '', subject = '' }: X509Certificate): string {
  const [, alternative] = /(?:DNS|IP Address):([^,"]+)/.exec(subjectAltName) ?? [];
  return alternative ?? /^CN=(\S+)$/m.exec(subject)?.[1] ?? '';
}
