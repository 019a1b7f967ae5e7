/** Change policies (`admin.policies`), which set conditions for changes to parts of the configuration. */
import {
  isArray,
  isObject,
  jsonEqual,
  parseUrlPath,
  SluiceError,
  type ConfigPath,
  type Json,
  type JsonObject,
} from '@sluice/base';
import { getAt } from '@sluice/reconciler';
import type { ExpectedBehavior, RequiredTests } from '@sluice/registry';
import { isAtLeast, parsePlan, type Plan } from '@sluice/rollout';

export interface PolicyOptions {
  readonly name?: string | null | undefined;
  readonly paths?: readonly string[] | null | undefined;
  readonly approval?: boolean | null | undefined;
  readonly confirmation?: boolean | null | undefined;
  readonly rollout?: string | null | undefined;
  readonly same_except_hosts?: readonly string[] | null | undefined;
  readonly tests?: readonly string[] | null | undefined;
}

/** Properties of a change that the policies check. */
export interface ChangeCredentials {
  /** True if the change was approved with a token other than its author's. */
  readonly isApproved: boolean;
  /** True if the change is rolled out in stages or requires confirmation. An unconfirmed change is reverted automatically. */
  readonly isConfirmed: boolean;
  /** Rollout plan. `null` if the change becomes active immediately. */
  readonly plan: Plan | null;
  /** Reason for overriding the policies. `null` if the change must comply with the policies. */
  readonly override: string | null;
  /** True if placeholders from the client must not read files or environment variables. */
  readonly confined: boolean;
}

interface Policy extends PolicyOptions {
  readonly name: string;
  readonly places: readonly ConfigPath[];
}

/**
 * Section that contains the policies, access rights, and configuration sources. A change to this section must meet the conditions of all
 * policies.
 */
const ownPaths: readonly ConfigPath[] = [['admin']];

/**
 * Checks a change against the policies that are active before it, so a change cannot remove the conditions that apply to it. Throws
 * `ERR_POLICY` with status 403 if the change does not meet a condition. Otherwise, returns the behavior and tests that the policies
 * require. Returns `null` if the policies require neither.
 */
export function checkPolicies(before: Json, after: Json, credentials: ChangeCredentials): ExpectedBehavior | null {
  if (before === after || credentials.override !== null) return null;
  const exceptHosts: (readonly string[])[] = [];
  const concerned = policiesFor(before, after);
  for (const policy of concerned) {
    if (policy.approval === true && !credentials.isApproved)
      throw policyError(policy, 'the change must be approved with a different token: send it to POST /proposals');
    if (policy.confirmation === true && !credentials.isConfirmed)
      throw policyError(policy, 'the change must be confirmed or rolled out: add ?confirm_within= or ?rollout=');
    const { rollout, same_except_hosts: hosts } = policy;
    if (rollout !== null && rollout !== undefined) checkRollout(policy, credentials.plan, rollout);
    if (hosts !== null && hosts !== undefined) exceptHosts.push(hosts);
  }
  const tests = testsOf(concerned);
  if (exceptHosts.length === 0 && tests.length === 0) return null;
  return { exceptHosts: exceptHosts.length === 0 ? null : exceptHosts, tests, confined: credentials.confined };
}

/** Returns the tests that the policies require for a change. */
export function requiredTests(before: Json, after: Json): readonly RequiredTests[] {
  return before === after ? [] : testsOf(policiesFor(before, after));
}

function testsOf(policies: readonly Policy[]): readonly RequiredTests[] {
  return policies.flatMap(({ name, tests }) =>
    tests === null || tests === undefined || tests.length === 0 ? [] : [{ policy: name, files: tests }],
  );
}

/** Returns the policies that apply to a change. */
function policiesFor(before: Json, after: Json): readonly Policy[] {
  const policies = policiesIn(before);
  if (policies.length === 0) return policies;
  // Compare values instead of patch operations: an operation that moves array elements changes the values at later positions.
  const touchesAny = (places: readonly ConfigPath[]): boolean =>
    places.some((place) => !jsonEqual(getAt(before, place), getAt(after, place)));
  return touchesAny(ownPaths) ? policies : policies.filter(({ places }) => touchesAny(places));
}

/** Throws unless the change is rolled out with at least the stages that the policy requires. */
function checkRollout(policy: Policy, plan: Plan | null, required: string): void {
  if (plan === null) throw policyError(policy, `the change must be rolled out: add ?rollout=${required}`);
  if (!isAtLeast(plan, parsePlan(required)))
    throw policyError(policy, `the rollout must have at least the stages and hold times of ?rollout=${required}`);
}

function policyError({ name }: Policy, problem: string): SluiceError {
  return new SluiceError('ERR_POLICY', `policy ${JSON.stringify(name)}: ${problem}`, { status: 403 });
}

function policiesIn(document: Json): Policy[] {
  const admin = isObject(document) ? document['admin'] : undefined;
  const policies = admin !== undefined && isObject(admin) ? admin['policies'] : undefined;
  if (policies === undefined || !isArray(policies)) return [];
  return policies.flatMap((each, i) => (isObject(each) ? [readPolicy(each, i)] : []));
}

function readPolicy(policy: JsonObject, index: number): Policy {
  const options = policy as PolicyOptions;
  const { name, paths } = options;
  return { ...options, name: name ?? String(index), places: placesOf(paths ?? null) };
}

/** Parses paths such as `/apps/http/servers/shop`. Throws `ERR_VALUE` if a path is invalid. */
export function placesOf(paths: readonly string[] | null): readonly ConfigPath[] {
  if (paths === null) return [[]];
  return paths.map((path) => {
    if (path.startsWith('/') && !/\/\/|[?#]/.test(path)) return parseUrlPath(path);
    throw new SluiceError(
      'ERR_VALUE',
      `${JSON.stringify(path)} is not a path of the configuration: expected a path such as "/apps/http/servers/shop"`,
    );
  });
}
