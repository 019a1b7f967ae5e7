/** Joins automation policies that are alike, the most specific first. */
import { jsonEqual } from '@sluice/base';
import { caddyfileError } from '../errors.ts';
import { asJson } from '../json.ts';
import { covers, isPublicName } from './tls-subjects.ts';
import type { AutomationPolicy } from './tls-values.ts';

/** A policy under construction. */
export interface DraftPolicy {
  readonly policy: AutomationPolicy;
  /** Whether the internal issuer is there only because its names need it. */
  readonly implicit: boolean;
}

/** What of two drafts has to be equal for them to be one; issuers are looked at apart. */
function settingsOf({ policy }: DraftPolicy): AutomationPolicy {
  const { subjects: _subjects, issuers: _issuers, ...settings } = policy;
  return settings;
}

function subjectsOf({ policy }: DraftPolicy): readonly string[] {
  return policy.subjects ?? [];
}

function saysNothing(draft: DraftPolicy): boolean {
  return draft.policy.issuers === undefined && Object.keys(settingsOf(draft)).length === 0;
}

function allPublic(draft: DraftPolicy): boolean {
  return subjectsOf(draft).every((name) => isPublicName(name, draft.policy.on_demand));
}

/** Whether all names of `a` are names of `b` too; a policy without names is for all. */
function within(a: DraftPolicy, b: DraftPolicy): boolean {
  if (subjectsOf(b).length === 0) return true;
  if (subjectsOf(a).length === 0) return false;
  return subjectsOf(a).every((name) => subjectsOf(b).some((pattern) => covers(pattern, name)));
}

function sameIssuers(a: DraftPolicy, b: DraftPolicy): boolean {
  const none = (draft: DraftPolicy): boolean => draft.implicit || draft.policy.issuers === undefined;
  if (none(a) && none(b)) {
    // Without an issuer, public names and others get different ones.
    const catchAll = subjectsOf(a).length === 0 || subjectsOf(b).length === 0;
    return catchAll ? !a.implicit && !b.implicit : allPublic(a) === allPublic(b);
  }
  return jsonEqual(asJson(a.policy.issuers ?? null), asJson(b.policy.issuers ?? null));
}

function alike(a: DraftPolicy, b: DraftPolicy): boolean {
  return sameIssuers(a, b) && jsonEqual(asJson(settingsOf(a)), asJson(settingsOf(b)));
}

/** Joins policies. None are left where none says anything. */
export function joinAutomationPolicies(drafts: readonly DraftPolicy[]): AutomationPolicy[] {
  if (drafts.every(saysNothing)) return [];
  const sorted = withoutCovered(sortBySpecificity([...drafts]));
  const left = withoutSameAsCatchAll(sorted);
  const last = left.at(-1);
  if (last !== undefined && saysNothing(last)) left.pop();
  const joined = joinEqual(left);
  refuseOverlap(joined);
  return joined;
}

/** Longer lists are sorted by the number of names alone. */
const mostInserted = 300;

/** Policies with most names come first, unless others are part of them; one without names comes last. */
function sortBySpecificity(drafts: DraftPolicy[]): DraftPolicy[] {
  const isBefore = (a: DraftPolicy, b: DraftPolicy): boolean => {
    if (within(a, b)) return true;
    if (within(b, a)) return false;
    return subjectsOf(a).length > subjectsOf(b).length;
  };
  if (drafts.length > mostInserted) return drafts.sort((a, b) => rank(b) - rank(a));
  for (let i = 1; i < drafts.length; i++) {
    for (let j = i; j > 0 && isBefore(drafts[j] as DraftPolicy, drafts[j - 1] as DraftPolicy); j--) {
      [drafts[j], drafts[j - 1]] = [drafts[j - 1] as DraftPolicy, drafts[j] as DraftPolicy];
    }
  }
  return drafts;
}

function rank(draft: DraftPolicy): number {
  return subjectsOf(draft).length === 0 ? -1 : subjectsOf(draft).length;
}

/** Names below a wildcard that has no issuer of its own need no policy that says nothing. */
function withoutCovered(drafts: readonly DraftPolicy[]): DraftPolicy[] {
  const wildcards = drafts.filter(
    (draft) => subjectsOf(draft).some((name) => name.includes('*')) && (saysNothing(draft) || onlyManagers(draft)),
  );
  if (wildcards.length === 0) return [...drafts];
  return drafts.filter(
    (draft) =>
      !saysNothing(draft) ||
      subjectsOf(draft).length === 0 ||
      !wildcards.some((each) => each !== draft && within(draft, each)),
  );
}

function onlyManagers({ policy }: DraftPolicy): boolean {
  return Object.keys(policy).every((key) => key === 'subjects' || key === 'get_certificate');
}

/** What the policy for all names says need not be said before it, unless one in between would serve those names. */
function withoutSameAsCatchAll(sorted: readonly DraftPolicy[]): DraftPolicy[] {
  const at = sorted.findIndex((draft) => subjectsOf(draft).length === 0);
  const catchAll = sorted[at];
  if (catchAll === undefined) return [...sorted];
  // Names that want the internal issuer are joined with others of their kind first, and may take these along.
  const joins = (draft: DraftPolicy): boolean => !allPublic(draft) && sorted.some(({ implicit }) => implicit);
  return sorted.filter(
    (draft, index) => index >= at || joins(draft) || !alike(draft, catchAll) || firstShadow(index, sorted) < at,
  );
}

function joinEqual(sorted: readonly DraftPolicy[]): AutomationPolicy[] {
  const left: (DraftPolicy | null)[] = [...sorted];
  const byKey = new Map<string, number[]>();
  left.forEach((draft, at) => {
    const key = JSON.stringify(settingsOf(draft as DraftPolicy));
    byKey.set(key, [...(byKey.get(key) ?? []), at]);
  });
  for (let i = 0; i < left.length; i++) {
    const first = left[i];
    if (first == null) continue;
    const names = new Set(subjectsOf(first));
    for (const j of byKey.get(JSON.stringify(settingsOf(first))) ?? []) {
      const second = left[j];
      if (j <= i || second == null || !alike({ ...first, policy: { ...first.policy, subjects: [...names] } }, second))
        continue;
      if (subjectsOf(second).length > 0 && isShadowing(second, left.slice(i + 1, j))) continue;
      if (names.size > 0 && subjectsOf(second).length === 0) {
        if (firstShadow(i, left) < j) continue;
        left[i] = null;
        break;
      }
      for (const name of subjectsOf(second)) names.add(name);
      left[j] = null;
    }
    if (left[i] !== null && names.size > 0) left[i] = { ...first, policy: { ...first.policy, subjects: [...names] } };
  }
  return left.filter((draft) => draft !== null).map(({ policy }) => policy);
}

/** Whether names of a policy would hide those of others if it came before them. */
function isShadowing(draft: DraftPolicy, others: readonly (DraftPolicy | null)[]): boolean {
  const wildcards = subjectsOf(draft).filter((name) => name.includes('*'));
  if (wildcards.length === 0) return false;
  return others.some(
    (other) => other !== null && subjectsOf(other).some((name) => wildcards.some((each) => covers(each, name))),
  );
}

/** The first policy after one that would serve one of its names if it were gone. */
function firstShadow(index: number, drafts: readonly (DraftPolicy | null)[]): number {
  const draft = drafts[index] as DraftPolicy;
  for (let at = index + 1; at < drafts.length; at++) {
    const other = drafts[at];
    if (other == null) continue;
    if (subjectsOf(draft).some((name) => subjectsOf(other).some((pattern) => covers(pattern, name)))) return at;
  }
  return Number.POSITIVE_INFINITY;
}

function refuseOverlap(policies: readonly AutomationPolicy[]): void {
  const seen = new Set<string>();
  for (const name of policies.flatMap(({ subjects }) => subjects ?? [])) {
    if (seen.has(name)) {
      throw caddyfileError(
        `hostname appears in more than one automation policy, making certificate management ambiguous: ${name}`,
      );
    }
    seen.add(name);
  }
}
