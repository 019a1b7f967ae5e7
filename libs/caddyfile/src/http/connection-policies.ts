/** Makes of the connection policies of all sites of a server those that it has. */
import { jsonEqual } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { asJson } from '../json.ts';
import { carryOrigin } from '../sources/origins.ts';
import type { Site } from './site.ts';
import { covers } from './tls-subjects.ts';
import type { ConnectionPolicy } from './tls-values.ts';

/** Joins what is for the same names, keeps names from policies that are not for them, and joins what is alike. */
export function joinConnectionPolicies(
  policies: readonly ConnectionPolicy[],
  sites: readonly Site[],
): ConnectionPolicy[] {
  return joinPolicies(shieldNames(joinSameNames(policies), sites));
}

/** Only the first policy of a name is used: those for the same names become one, and must not contradict each other. */
function joinSameNames(policies: readonly ConnectionPolicy[]): ConnectionPolicy[] {
  const byNames = new Map<string, ConnectionPolicy>();
  for (const policy of policies) {
    const names = JSON.stringify(policy.match?.sni ?? null);
    const first = byNames.get(names);
    if (first === undefined) {
      byNames.set(names, carryOrigin(policy, { ...policy }));
      continue;
    }
    refuseContradiction(first, policy);
    Object.assign(first, policy);
  }
  return [...byNames.values()];
}

function refuseContradiction(first: ConnectionPolicy, second: ConnectionPolicy): void {
  for (const [field, value] of Object.entries(second)) {
    const earlier = first[field as keyof ConnectionPolicy];
    if (earlier === undefined || jsonEqual(asJson(earlier), asJson(value))) continue;
    const names = first.match?.sni.join(', ') ?? 'all names';
    const [a, b] = [JSON.stringify(earlier), JSON.stringify(value)];
    throw caddyfileError(`TLS of ${names} is given ${field} ${a} and ${b}: connections can have only one of them`);
  }
}

/**
 * Where a wildcard asks clients for certificates, names of other sites below it must not: they get the policy without that,
 * in front of it, unless they have one of their own.
 */
function shieldNames(policies: readonly ConnectionPolicy[], sites: readonly Site[]): ConnectionPolicy[] {
  if (!policies.some((policy) => policy.client_authentication !== undefined)) return [...policies];
  const taken = new Set(policies.flatMap(({ match }) => match?.sni ?? []));
  return policies.flatMap((policy) => {
    const { client_authentication: authentication, match, ...settings } = policy;
    const wildcards = (match?.sni ?? []).filter((name) => name.includes('*'));
    if (authentication === undefined || wildcards.length === 0) return [policy];
    const names = sites
      .flatMap((site) => site.hosts())
      .filter((name) => !taken.has(name) && wildcards.some((each) => covers(each, name)));
    for (const name of names) taken.add(name);
    if (names.length === 0) return [policy];
    return [carryOrigin(policy, { match: { sni: [...names].sort() }, ...settings }), policy];
  });
}

/** Policies with equal settings become one for the names of all. */
function joinPolicies(policies: readonly ConnectionPolicy[]): ConnectionPolicy[] {
  const joined: ConnectionPolicy[] = [];
  for (const policy of policies) {
    const { match, ...settings } = policy;
    const same = joined.find(
      (each) => (each.match === undefined) === (match === undefined) && sameSettings(each, settings),
    );
    if (same === undefined) joined.push(carryOrigin(policy, { ...policy }));
    else if (match !== undefined && same.match !== undefined) same.match = { sni: [...same.match.sni, ...match.sni] };
  }
  return joined;
}

function sameSettings({ match: _match, ...settings }: ConnectionPolicy, others: ConnectionPolicy): boolean {
  return jsonEqual(asJson(settings), asJson(others));
}
