/** Sorts the TLS connection policies of several providers. The server uses the first policy that matches. */
import { isObject, listAt, objectAt, type Json } from '@sluice/base';

/** Rank of exact server names. It is greater than the length of any host name. */
const exact = 256;

/**
 * Returns provided policies, followed by the document's policies. Exact server names precede wildcards, and longer wildcards precede
 * shorter ones. If there are several catch-all policies with options, uses only the first.
 */
export function connectionPolicies(provided: readonly Json[], own: readonly Json[]): readonly Json[] {
  const specific = provided.filter((policy) => !isGeneral(policy));
  const general = provided.filter(isGeneral);
  const last = general.find((policy) => isObject(policy) && Object.keys(policy).length > 1) ?? general[0];
  return [...inOrder(specific), ...(last === undefined ? [] : [last]), ...own];
}

function isGeneral(policy: Json): boolean {
  return Object.keys(objectAt(policy, ['match'])).length === 0;
}

/** Sorts policies by specificity. If any policy has other matchers, keeps the original order, because such policies can't be compared. */
function inOrder(policies: readonly Json[]): readonly Json[] {
  if (policies.some((policy) => Object.keys(objectAt(policy, ['match'])).some((name) => name !== 'sni')))
    return policies;
  const specificity = new Map(policies.map((policy) => [policy, specificityOf(policy)]));
  return policies.toSorted((a, b) => (specificity.get(b) ?? 0) - (specificity.get(a) ?? 0));
}

/** Returns the length of the shortest wildcard among a policy's server names. */
function specificityOf(policy: Json): number {
  const names = listAt(policy, ['match', 'sni']).filter((name) => typeof name === 'string');
  return Math.min(...names.map((name) => (name.startsWith('*') ? name.length : exact)));
}
