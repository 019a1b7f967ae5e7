/** Merges equal automation policies and sorts them from most to least specific. */
import { caddyfileError, type Position } from '../errors.ts';
import { LaterPolicies } from './tls-policy-cover.ts';
import { PolicyEntry, type DraftPolicy } from './tls-policy-entry.ts';
import { joinAlike } from './tls-policy-joining.ts';
import { inOrder } from './tls-policy-order.ts';
import type { AutomationPolicy } from './tls-values.ts';

/** Merges automation policies. Returns an empty list if all policies are empty. `placeOf` returns the position of a name. */
export function joinAutomationPolicies(
  drafts: readonly DraftPolicy[],
  placeOf: (name: string) => Position | undefined,
): AutomationPolicy[] {
  const entries = drafts.map((draft) => new PolicyEntry(draft));
  if (entries.every(({ saysNothing }) => saysNothing)) return [];
  const needed = withoutCovered(inOrder(entries));
  // Remove the last policy if it only lists names. These names get the same settings without the policy.
  if (needed.at(-1)?.saysNothing === true) needed.pop();
  const joined = joinAlike(needed).map(({ policy }) => policy);
  refuseOverlap(joined, placeOf);
  return joined;
}

/**
 * Removes policies without settings. Keeps such a policy if the next policy that covers its names has settings other than certificate
 * managers.
 */
function withoutCovered(sorted: readonly PolicyEntry[]): PolicyEntry[] {
  const later = new LaterPolicies<PolicyEntry>();
  const kept: PolicyEntry[] = [];
  for (const entry of sorted.toReversed()) {
    const heir = entry.saysNothing ? later.firstWith(entry.names) : null;
    if (heir === null || !isPlain(heir.draft.policy)) kept.push(entry);
    later.add(entry);
  }
  return kept.reverse();
}

function isPlain(policy: AutomationPolicy): boolean {
  return Object.keys(policy).every((key) => key === 'subjects' || key === 'get_certificate');
}

function refuseOverlap(policies: readonly AutomationPolicy[], placeOf: (name: string) => Position | undefined): void {
  const seen = new Set<string>();
  for (const name of policies.flatMap(({ subjects }) => subjects ?? [])) {
    if (seen.has(name)) {
      throw caddyfileError(
        `hostname appears in more than one automation policy, making certificate management ambiguous: ${name}`,
        undefined,
        placeOf(name),
      );
    }
    seen.add(name);
  }
}
