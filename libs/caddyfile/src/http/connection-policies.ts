/** Combines the TLS connection policies of all sites into the policies of the server. */
import { jsonEqual } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { asJson } from '../json.ts';
import { carryOrigin } from '../sources/origins.ts';
import type { CaddyfileToken } from '../token.ts';
import type { Site } from './site.ts';
import { covers } from './tls-subjects.ts';
import { tlsPiles, type ConnectionPolicy } from './tls-values.ts';

/**
 * Combines the connection policies of all sites. Merges policies that have the same names, and adjacent policies with equal settings. A
 * policy with client authentication does not apply to the names of other policies. Policies for all names come last. `plainSites` are sites
 * whose `tls` directive has no connection settings.
 */
export function joinConnectionPolicies(
  policies: readonly ConnectionPolicy[],
  sites: readonly Site[],
  plainSites: ReadonlySet<Site>,
): ConnectionPolicy[] {
  const named = policies.filter(({ match }) => match !== undefined);
  const forAll = policies.filter(({ match }) => match === undefined);
  const placeOf = ({ match }: ConnectionPolicy): CaddyfileToken | undefined => siteOf(match?.sni[0] ?? '', sites);
  return joinAlike(shieldNames([...named, ...forAll], sites, plainSites), placeOf);
}

/**
 * Merges policies, because only the first policy for a name takes effect. Policies with the same names must not conflict. Merges adjacent
 * policies with equal settings into one policy with the names of both.
 */
function joinAlike(
  policies: readonly ConnectionPolicy[],
  placeOf: (policy: ConnectionPolicy) => CaddyfileToken | undefined,
): ConnectionPolicy[] {
  const joined: ConnectionPolicy[] = [];
  const byNames = new Map<string, ConnectionPolicy>();
  let names: string[] | null = null;
  for (const policy of policies) {
    const first = byNames.get(namesOf(policy));
    const last = joined.at(-1);
    if (first !== undefined) {
      refuseContradiction(first, policy, placeOf);
      Object.assign(first, policy);
    } else if (last?.match !== undefined && policy.match !== undefined && sameSettings(last, policy)) {
      if (names === null) {
        byNames.delete(namesOf(last));
        names = [...last.match.sni];
        last.match = { sni: names };
      }
      names.push(...policy.match.sni);
    } else {
      const added = carryOrigin(policy, { ...policy });
      joined.push(added);
      byNames.set(namesOf(added), added);
      names = null;
    }
  }
  return joined;
}

/** Returns the position of the last occurrence of a name. If no site has the name, returns the beginning of the last site. */
function siteOf(name: string, sites: readonly Site[]): CaddyfileToken | undefined {
  const owner = sites.findLast(({ addresses }) => addresses.some(({ host }) => host === name)) ?? sites.at(-1);
  return owner?.keyOf(name);
}

function namesOf({ match }: ConnectionPolicy): string {
  return JSON.stringify(match?.sni ?? null);
}

function refuseContradiction(
  first: ConnectionPolicy,
  second: ConnectionPolicy,
  placeOf: (policy: ConnectionPolicy) => CaddyfileToken | undefined,
): void {
  for (const [field, value] of Object.entries(second)) {
    const earlier = first[field as keyof ConnectionPolicy];
    if (earlier === undefined || jsonEqual(asJson(earlier), asJson(value))) continue;
    const names = first.match?.sni.join(', ') ?? 'all names';
    const [a, b] = [JSON.stringify(earlier), JSON.stringify(value)];
    throw caddyfileError(
      `TLS for ${names} has ${field} ${a} and ${b}: a connection can have only one of them`,
      undefined,
      placeOf(second),
    );
  }
}

/**
 * Exempts certain names from the client authentication of a wildcard site. A wildcard site that requires client certificates must not
 * impose this requirement on other sites below the wildcard. For each name of these sites, adds a policy without client authentication
 * before the wildcard's policy. Names that already have a policy are unchanged.
 */
function shieldNames(
  policies: readonly ConnectionPolicy[],
  sites: readonly Site[],
  plainSites: ReadonlySet<Site>,
): ConnectionPolicy[] {
  if (!policies.some((policy) => policy.client_authentication !== undefined)) return [...policies];
  const taken = new Set(policies.flatMap(({ match }) => match?.sni ?? []));
  // A `tls` directive without connection settings also applies to the site's wildcard names. If there is no `tls` directive, only exact
  // names count.
  const isOpen = (site: Site, host: string): boolean =>
    plainSites.has(site) ||
    (site.values(tlsPiles.connectionPolicy).length === 0 && !host.includes('*') && !taken.has(host));
  return policies.flatMap((policy) => {
    const { client_authentication: authentication, match, ...settings } = policy;
    const wildcards = (match?.sni ?? []).filter((name) => name.includes('*'));
    if (authentication === undefined || wildcards.length === 0) return [policy];
    const names = new Set<string>();
    for (const site of sites) {
      const hosts = site.hosts();
      if (wildcards.some((wildcard) => hosts.includes(wildcard))) continue;
      for (const host of hosts) {
        if (isOpen(site, host) && wildcards.some((wildcard) => covers(wildcard, host))) names.add(host);
      }
    }
    for (const name of names) taken.add(name);
    return names.size === 0
      ? [policy]
      : [carryOrigin(policy, { match: { sni: [...names].sort() }, ...settings }), policy];
  });
}

function sameSettings(
  { match: _one, ...settings }: ConnectionPolicy,
  { match: _other, ...others }: ConnectionPolicy,
): boolean {
  return jsonEqual(asJson(settings), asJson(others));
}
