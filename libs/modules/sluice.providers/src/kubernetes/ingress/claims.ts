/** Paths that Ingresses claim. If several Ingresses claim the same path, the oldest one gets it. */
import { Annotations } from './annotations/reader.ts';
import { ageOf } from '../objects.ts';
import type { Ingress, IngressBackend } from './objects.ts';

export interface Claim {
  /** Host in lower case. Empty for all hosts. */
  readonly host: string;
  readonly path: string;
  readonly type: string;
  readonly backend: IngressBackend;
  /** Identifier of the claim. Claims for equal paths of the same host have the same identifier. */
  readonly id: string;
}

/** Returns the paths that an Ingress claims. If a path occurs twice, the first occurrence is used. */
export function claimsOf({ spec }: Ingress): readonly Claim[] {
  const claims = new Map<string, Claim>();
  for (const { host = '', http } of spec.rules ?? [])
    for (const { path = '/', pathType = 'ImplementationSpecific', backend } of http?.paths ?? []) {
      const claim = claimOf(host.toLowerCase(), path === '' ? '/' : path, pathType, backend);
      if (!claims.has(claim.id)) claims.set(claim.id, claim);
    }
  return [...claims.values()];
}

export function claimOf(host: string, path: string, type: string, backend: IngressBackend): Claim {
  const same = type === 'Prefix' ? path.replace(/\/+$/, '') || '/' : path;
  return { host, path, type, backend, id: `${host} ${type === 'Exact' ? '=' : '^'}${same}` };
}

/** Properties of an Ingress that affect other Ingresses. They are indexed after each change. */
export interface IngressFacts {
  readonly claims: ReadonlySet<string>;
  /** Hosts in rules. */
  readonly hosts: ReadonlySet<string>;
  /** Hosts in the rules and TLS entries of the Ingress. */
  readonly allHosts: ReadonlySet<string>;
  /** Hosts whose paths all become regular expressions because of this Ingress. */
  readonly expressionHosts: ReadonlySet<string>;
  readonly isCanary: boolean;
  /** String that changes whenever the configuration of the hosts may change. Empty if the hosts are not affected. */
  readonly hostFacts: string;
}

const hostAnnotations = [
  'auth-tls-secret',
  'auth-tls-verify-client',
  'auth-tls-match-cn',
  'from-to-www-redirect',
  'ssl-ciphers',
] as const;

export function factsOf(ingress: Ingress, prefix: string): IngressFacts {
  const annotations = new Annotations(ingress, prefix);
  const claims = claimsOf(ingress);
  const isCanary = annotations.flag('canary') === true;
  const hosts = new Set(isCanary ? [] : (ingress.spec.rules ?? []).map(({ host = '' }) => host.toLowerCase()));
  const usesExpressions = annotations.flag('use-regex') === true || annotations.text('rewrite-target') !== undefined;
  const tls = isCanary ? [] : (ingress.spec.tls ?? []);
  const values = isCanary ? [] : hostAnnotations.map((name) => annotations.text(name));
  return {
    claims: new Set(claims.map(({ id }) => id)),
    hosts,
    allHosts: new Set([...hosts, ...tls.flatMap((each) => (each.hosts ?? []).map((host) => host.toLowerCase()))]),
    expressionHosts: usesExpressions ? hosts : new Set(),
    isCanary,
    hostFacts:
      tls.length === 0 && values.every((each) => each === undefined)
        ? ''
        : JSON.stringify([[...hosts], tls, values, ageOf(ingress)]),
  };
}

/**
 * Returns the name of the Secret for a host. Returns `undefined` if there is no TLS entry for the host, and `null` if the entry has no
 * Secret.
 */
export function tlsSecretOf(ingress: Ingress, host: string): string | null | undefined {
  return tlsEntryOf(ingress, host)?.secretName;
}

export interface TlsEntry {
  /** Host in the TLS entry, possibly a wildcard. */
  readonly host: string;
  readonly secretName: string | null;
}

/** Returns the TLS entry for a host. An entry that lists no hosts applies to the hosts of all rules. */
export function tlsEntryOf({ spec }: Ingress, host: string): TlsEntry | undefined {
  for (const { hosts = [], secretName = null } of spec.tls ?? []) {
    const names = hosts.length > 0 ? hosts : (spec.rules ?? []).map((rule) => rule.host ?? '');
    const found = names.map((each) => each.toLowerCase()).find((each) => each === host || covers(each, host));
    if (found !== undefined) return { host: found, secretName };
  }
  return undefined;
}

/** Reports whether a wildcard hostname matches a host. The wildcard matches exactly one label. */
function covers(wildcard: string, host: string): boolean {
  return wildcard.startsWith('*.') && host.slice(host.indexOf('.')) === wildcard.slice(1) && host.indexOf('.') > 0;
}
