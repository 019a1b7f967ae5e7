/** Computes the state of Gateway listeners. */
import type { X509Certificate } from 'node:crypto';
import { joinHostPort } from '@sluice/base';
import { keyOf, type Gateway, type GatewayListener, type ListenerSet, type Secret } from '../objects.ts';
import { isStream, kindsByProtocol } from '../kinds.ts';
import { targets, type Scope } from './cluster-view.ts';
import { fails, holds, type Finding } from './conditions.ts';
import { backendCertificateOf, clientValidationOf, pemPairOf } from './gateway-tls.ts';
import { gatewayGroup, isPermitted } from './grants.ts';
import { intersection } from './hostnames.ts';
import { listenerSetKey, type CertificatePair, type Listener, type RouteKind } from './listener.ts';

export interface ListenerParent {
  readonly kind: 'Gateway' | 'ListenerSet';
  readonly object: Gateway | ListenerSet;
}

/**
 * Returns the listeners of a Gateway and its ListenerSets.
 *
 * ListenerSets are in order of precedence.
 *
 *    @param address Address to listen on; empty means all addresses.
 *    @param schemes Schemes of older Gateways, keyed by address and port. This function adds the schemes of this Gateway.
 */
export function listenersOf(
  { gateway, sets }: { readonly gateway: Gateway; readonly sets: readonly ListenerSet[] },
  address: string,
  schemes: Map<string, string>,
  scope: Scope,
): readonly Listener[] {
  const own = gateway.spec.listeners ?? [];
  const preceding: GatewayListener[] = own.slice();
  const backendCertificate = backendCertificateOf(gateway, scope).pair;
  const listeners = translateListeners({ kind: 'Gateway', object: gateway }, conflictsOf(own), scope);
  for (const set of sets) {
    const conflicts: (Conflict | null)[] = [];
    for (const listener of set.spec.listeners ?? []) {
      const conflict = conflictAmong(listener, preceding);
      conflicts.push(conflict);
      if (conflict === null) preceding.push(listener);
    }
    const namespace = set.metadata.namespace ?? '';
    const parent: ListenerParent = { kind: 'ListenerSet', object: set };
    listeners.push(...translateListeners(parent, conflicts, { ...scope, namespace }));
  }
  return listeners.map((each) => (each.protocol === 'TLS' ? withReserved(each, listeners) : each));

  function translateListeners(
    parent: ListenerParent,
    conflicts: readonly (Conflict | null)[],
    listenerScope: Scope,
  ): Listener[] {
    return (parent.object.spec.listeners ?? []).map((listener, i) =>
      translateListener(listener, {
        gateway,
        gatewayScope: scope,
        backendCertificate,
        parent,
        listen: joinHostPort(address, listener.port),
        schemes,
        conflict: conflicts[i] ?? null,
        scope: listenerScope,
      }),
    );
  }
}

interface ListenerContext {
  readonly gateway: Gateway;
  readonly gatewayScope: Scope;
  readonly backendCertificate: Listener['backendCertificate'];
  readonly parent: ListenerParent;
  readonly listen: string;
  readonly schemes: Map<string, string>;
  readonly conflict: Conflict | null;
  readonly scope: Scope;
}

function translateListener(listener: GatewayListener, context: ListenerContext): Listener {
  const { gateway, parent, listen, schemes, scope } = context;
  const { kinds, problem } = kindsOf(listener);
  const isSupported = kindsByProtocol.has(listener.protocol);
  const isPassthrough = listener.protocol === 'TLS' && (listener.tls?.mode ?? 'Terminate') === 'Passthrough';
  const isTerminated = listener.protocol === 'HTTPS' || (listener.protocol === 'TLS' && !isPassthrough);
  const scheme = listener.protocol === 'HTTPS' ? 'https' : 'http';
  // TLS and HTTPS listeners can share a port, because the server distinguishes them by server name.
  const used = listener.protocol === 'HTTPS' ? 'TLS' : isStream(listener.protocol) ? listener.protocol : scheme;
  const place = `${listener.protocol === 'UDP' ? 'udp' : 'tcp'}/${listen}`;
  const conflict = context.conflict ?? conflictWith(schemes.get(place) ?? used, used, listener.port);
  if (conflict === null && isSupported) schemes.set(place, used);
  const references: Finding[] = problem === null ? [] : [problem];
  const certificates: Listener['certificates'][number][] = [];
  if (isTerminated) {
    const read = certificatesOf(listener, parent.kind, scope);
    certificates.push(...read.certificates);
    references.push(...read.problems);
  }
  const { validation, problems } =
    listener.protocol === 'HTTPS'
      ? clientValidationOf(gateway, listener.port, context.gatewayScope)
      : { validation: null, problems: [] };
  references.push(...problems);
  const accepted =
    conflict !== null
      ? fails('Accepted', conflict.reason, conflict.message)
      : isSupported
        ? validation?.authorities.length === 0
          ? fails('Accepted', 'NoValidCACertificate', 'none of the CA certificates for client validation is valid')
          : holds('Accepted')
        : fails('Accepted', 'UnsupportedProtocol', `protocol ${listener.protocol} is not supported`);
  const [reference] = references;
  const isServed = accepted.isTrue && (!isTerminated || certificates.length > 0);
  return {
    gateway: keyOf(gateway),
    parent: parentKey(parent),
    namespace: scope.namespace,
    name: listener.name,
    listen,
    port: listener.port,
    protocol: listener.protocol,
    scheme,
    isPassthrough,
    hostname: (listener.hostname ?? '').toLowerCase(),
    reserved: [],
    isServed: isServed && kinds.length > 0,
    kinds: isSupported ? kinds : [],
    allowed: listener.allowedRoutes?.namespaces ?? {},
    findings: [
      accepted,
      isServed && reference === undefined
        ? holds('Programmed')
        : fails('Programmed', conflict?.reason ?? 'Invalid', 'the listener is invalid; see the other conditions'),
      reference ?? holds('ResolvedRefs'),
      conflict === null
        ? { type: 'Conflicted', isTrue: false, reason: 'NoConflicts', message: '' }
        : holds('Conflicted', conflict.reason, conflict.message),
    ],
    certificates,
    clientValidation: validation,
    backendCertificate: context.backendCertificate,
  };
}

function parentKey({ kind, object }: ListenerParent): string {
  return kind === 'Gateway' ? keyOf(object) : listenerSetKey(keyOf(object));
}

function kindsOf({ allowedRoutes, protocol }: GatewayListener): {
  kinds: readonly RouteKind[];
  problem: Finding | null;
} {
  const supportedKinds = (kindsByProtocol.get(protocol) ?? []).map((kind) => ({ group: gatewayGroup, kind }));
  const wanted = allowedRoutes?.kinds ?? [];
  if (wanted.length === 0) return { kinds: supportedKinds, problem: null };
  const isWanted = (supported: RouteKind, { group = gatewayGroup, kind }: (typeof wanted)[number]): boolean =>
    group === supported.group && kind === supported.kind;
  const invalid = wanted.find((each) => !supportedKinds.some((supported) => isWanted(supported, each)));
  return {
    kinds: supportedKinds.filter((supported) => wanted.some((each) => isWanted(supported, each))),
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
  return { reason: 'ProtocolConflict', message: `an older Gateway uses port ${port} for ${older}` };
}

/** Finds conflicts among a Gateway's own listeners, all of which have the same precedence. */
function conflictsOf(listeners: readonly GatewayListener[]): readonly (Conflict | null)[] {
  return listeners.map((listener, i) =>
    conflictAmong(
      listener,
      listeners.filter((_each, j) => j !== i),
    ),
  );
}

/**
 * Returns a conflict between listeners, or `null`. Listeners on the same port must have the same protocol and different hostnames. HTTPS
 * and TLS may share a port.
 */
function conflictAmong(
  { port, protocol, hostname = '' }: GatewayListener,
  listeners: readonly GatewayListener[],
): Conflict | null {
  const others = listeners.filter((each) => each.port === port && (each.protocol === 'UDP') === (protocol === 'UDP'));
  if (others.some((each) => groupOf(each.protocol) !== groupOf(protocol)))
    return { reason: 'ProtocolConflict', message: `port ${port} has listeners with different protocols` };
  if (others.some((each) => (each.hostname ?? '') === hostname))
    return { reason: 'HostnameConflict', message: `port ${port} has several listeners for the same hostname` };
  return null;
}

/** Returns the group of a protocol. Protocols in the same group can share a port. */
function groupOf(protocol: string): string {
  return protocol === 'HTTPS' ? 'TLS' : protocol;
}

/** Adds the hostnames of HTTPS listeners that are more specific than the TLS listener's hostname. */
function withReserved(listener: Listener, listeners: readonly Listener[]): Listener {
  const reserved = listeners
    .filter(({ protocol, listen, isServed }) => protocol === 'HTTPS' && listen === listener.listen && isServed)
    .map(({ hostname }) => hostname)
    .filter((each) => each !== '' && intersection(listener.hostname, [each])?.[0] === each);
  return reserved.length === 0 ? listener : { ...listener, reserved };
}

function certificatesOf(
  listener: GatewayListener,
  parentKind: ListenerParent['kind'],
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
      const from = { kind: parentKind, namespace: gatewayNamespace };
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

/** Returns the certificate and key in a Secret, or the reason why the Secret has no valid certificate. */
export function pairOf(secret: Secret): CertificatePair | string {
  const pair = pemPairOf(secret);
  if (typeof pair === 'string') return pair;
  const { certificate, key, parsed } = pair;
  return { certificate, key, name: nameOf(parsed), tag: `kubernetes ${parsed.fingerprint256}` };
}

function nameOf({ subjectAltName = '', subject = '' }: X509Certificate): string {
  const [, alternative] = /(?:DNS|IP Address):([^,"]+)/.exec(subjectAltName) ?? [];
  return alternative ?? /^CN=(\S+)$/m.exec(subject)?.[1] ?? '';
}
