/** Paths of Ingresses. Ingresses with the same path claim it; the oldest one gets it. */
import { Annotations } from './annotations/reader.ts';
import { ageOf, type Ingress, type IngressBackend } from './objects.ts';

export interface Claim {
  /** Lowercase; empty = all. */
  readonly host: string;
  readonly path: string;
  readonly type: string;
  readonly backend: IngressBackend;
  /** Same for equal paths of the same host. */
  readonly id: string;
}

/** Returns the paths of an Ingress. The first one wins if a path occurs twice. */
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

/** Parts of an Ingress that affect others. They are indexed when it changes. */
export interface IngressFacts {
  readonly claims: ReadonlySet<string>;
  /** Hosts of rules. */
  readonly hosts: ReadonlySet<string>;
  /** Hosts of rules and TLS entries. */
  readonly allHosts: ReadonlySet<string>;
  /** Hosts whose paths are regular expressions because of this Ingress. */
  readonly expressionHosts: ReadonlySet<string>;
  readonly isCanary: boolean;
  /** Text that differs if the configuration of the hosts could differ; empty if they are not affected. */
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

/** Returns the Secret of a host: `undefined` = it has no TLS entry, `null` = the entry names none. */
export function tlsSecretOf(ingress: Ingress, host: string): string | null | undefined {
  return tlsEntryOf(ingress, host)?.secretName;
}

export interface TlsEntry {
  /** Host of the entry, which can be a wildcard. */
  readonly host: string;
  readonly secretName: string | null;
}

/** Returns the TLS entry for a host. An entry without hosts is for those of all rules. */
export function tlsEntryOf({ spec }: Ingress, host: string): TlsEntry | undefined {
  for (const { hosts = [], secretName = null } of spec.tls ?? []) {
    const names = hosts.length > 0 ? hosts : (spec.rules ?? []).map((rule) => rule.host ?? '');
    const found = names.map((each) => each.toLowerCase()).find((each) => each === host || covers(each, host));
    if (found !== undefined) return { host: found, secretName };
  }
  return undefined;
}

/** A wildcard stands for one label. */
function covers(wildcard: string, host: string): boolean {
  return wildcard.startsWith('*.') && host.slice(host.indexOf('.')) === wildcard.slice(1) && host.indexOf('.') > 0;
}
