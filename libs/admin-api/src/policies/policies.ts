/** `admin.policies`: conditions for changes of parts of the configuration. */
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
import type { ExpectedBehavior } from '@sluice/registry';

/** A policy as configured. */
export interface PolicyOptions {
  readonly name?: string | null | undefined;
  readonly paths?: readonly string[] | null | undefined;
  readonly approval?: boolean | null | undefined;
  readonly confirmation?: boolean | null | undefined;
  readonly same_except_hosts?: readonly string[] | null | undefined;
}

/** What a change was made with. */
export interface ChangeCredentials {
  /** True if another token has approved it. */
  readonly isApproved: boolean;
  /** True if it is reverted unless it is confirmed, or is rolled out in stages. */
  readonly isConfirmed: boolean;
  /** Reason for ignoring the policies; `null` to comply with them. */
  readonly override: string | null;
}

interface Policy extends PolicyOptions {
  readonly name: string;
  readonly places: readonly ConfigPath[];
}

/**
 * Section of the policies themselves, of what grants rights, and of where configurations are pulled from. Its changes must meet the conditions
 * of all policies.
 */
const ownPaths: readonly ConfigPath[] = [['admin']];

/**
 * Throws ERR_POLICY with status 403 if a change needs something that it does not have. Returns the behavior that it must keep; `null` for
 * any. The policies are those in force, so that a change cannot remove its own conditions.
 */
export function checkPolicies(before: Json, after: Json, credentials: ChangeCredentials): ExpectedBehavior | null {
  if (before === after || credentials.override !== null) return null;
  const policies = policiesIn(before);
  if (policies.length === 0) return null;
  // Not the edits: one that moves elements of an array changes the values at later positions.
  const touchesAny = (places: readonly ConfigPath[]): boolean =>
    places.some((place) => !jsonEqual(getAt(before, place), getAt(after, place)));
  const touchesPolicies = touchesAny(ownPaths);
  const exceptHosts: (readonly string[])[] = [];
  for (const policy of policies) {
    if (!touchesPolicies && !touchesAny(policy.places)) continue;
    if (policy.approval === true && !credentials.isApproved)
      throw policyError(policy, 'the change must be approved by another token: send it to POST /proposals');
    if (policy.confirmation === true && !credentials.isConfirmed)
      throw policyError(policy, 'the change must be confirmed or rolled out: add ?confirm_within= or ?rollout=');
    const { same_except_hosts: hosts } = policy;
    if (hosts !== null && hosts !== undefined) exceptHosts.push(hosts);
  }
  return exceptHosts.length === 0 ? null : { exceptHosts };
}

function policyError({ name }: Policy, problem: string): SluiceError {
  return new SluiceError('ERR_POLICY', `policy ${JSON.stringify(name)}: ${problem}`, { status: 403 });
}

/** Returns the policies of a valid configuration. */
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

/** Parses paths such as `/apps/http/servers/shop`. Throws ERR_VALUE. */
export function placesOf(paths: readonly string[] | null): readonly ConfigPath[] {
  if (paths === null) return [[]];
  return paths.map((path) => {
    if (path.startsWith('/') && !/\/\/|[?#]/.test(path)) return parseUrlPath(path);
    throw new SluiceError(
      'ERR_VALUE',
      `${JSON.stringify(path)} is not a path of the configuration: expected one such as "/apps/http/servers/shop"`,
    );
  });
}
