/**
 * Maximum waiting times of a request, in milliseconds. `members` limits the wait for other members to apply a change. `read` limits the
 * wait for a revision before a read.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isSluiceError } from '@sluice/base';
import type { FleetMembership, FleetRehearsal } from '@sluice/contracts';
import type { ChangeOptions, ChangeResult } from '@sluice/reconciler';
import { targetOf, type RequestedChange } from '../call.ts';
import { RequestError, requestError } from '../errors.ts';
import type { AppliedEdit } from './applied-edit.ts';

/** Maximum waiting times in milliseconds: for other members to apply a change, and for a revision that a read requires. */
const timeouts = { members: 10_000, read: 5000 };

const nothingMade: ChangeResult = { changed: false, operations: [], report: null, unconfirmed: null, unsaved: null };

/** Applies a change unless its operation was already applied. Waits for the fleet members that the client specified. */
export async function changeInFleet(
  membership: FleetMembership,
  options: RequestedChange,
  make: (options: ChangeOptions) => Promise<ChangeResult>,
): Promise<AppliedEdit> {
  const { op = randomUUID(), wait, rollout } = options;
  const known = options.op === undefined ? null : await membership.find(op, options.request);
  if (rollout !== null && known === null) return beginRollout(membership, { ...options, op, rollout }, make);
  const made = known === null ? await makeOnce(membership, { ...options, op }, make) : { result: nothingMade, known };
  const revision = made.known ?? membership.revisionOf(op) ?? membership.revision;
  const reach = wait === 'here' ? null : await membership.reach(revision, wait, timeouts.members);
  return { ...made.result, fleet: { revision, reach, rollout: null } };
}

/** Requests dry runs from the fleet members that have different modules than this member. */
export async function rehearseInFleet(membership: FleetMembership, result: ChangeResult): Promise<AppliedEdit> {
  const rehearsed = await membership.rehearse(rehearsalOf(result));
  return { ...result, fleet: { revision: membership.revision, reach: null, rollout: null, rehearsed } };
}

function rehearsalOf({ operations, report }: ChangeResult): FleetRehearsal {
  return { operations, modules: [...(report?.started ?? []), ...(report?.rebuilt ?? [])] };
}

/** Starts a rollout, unless the same operation already started one. */
async function beginRollout(
  membership: FleetMembership,
  options: RequestedChange & { readonly op: string; readonly rollout: string },
  make: (options: ChangeOptions) => Promise<ChangeResult>,
): Promise<AppliedEdit> {
  const { op, by = null, rollout: plan } = options;
  const tryOut = async (): Promise<FleetRehearsal> => rehearsalOf(await make({ ...options, dryRun: true }));
  const { request } = options;
  const rollout = await membership.rollOut({ op, by, plan, tryOut, ...(request === undefined ? {} : { request }) });
  return { ...nothingMade, fleet: { revision: membership.revision, reach: null, rollout } };
}

/**
 * Applies an edit only once per operation. A concurrent request for the same operation may apply the edit first. In this case, an edit that
 * cannot be applied twice, such as a removal, fails.
 */
async function makeOnce(
  membership: FleetMembership,
  options: ChangeOptions & Pick<RequestedChange, 'op'>,
  make: (options: ChangeOptions) => Promise<ChangeResult>,
): Promise<{ readonly result: ChangeResult; readonly known: number | null }> {
  const { op, request } = options;
  try {
    return { result: await make(options), known: null };
  } catch (error) {
    const code = isSluiceError(error) ? error.code : '';
    const known =
      op === undefined || (request === undefined && code !== 'ERR_FLEET_KNOWN') || code === 'ERR_FLEET_UNKNOWN'
        ? null
        : await membership.find(op, request).catch((failure: unknown) => refusalOf(failure));
    if (known === null) throw error;
    return { result: nothingMade, known };
  }
}

/**
 * Throws the error if the idempotency key cannot be reused for this request. Ignores other errors, such as an unavailable store, because
 * the caller reports the original error.
 */
function refusalOf(error: unknown): null {
  if (isSluiceError(error) && error.code === 'ERR_FLEET_KEY') throw error;
  return null;
}

/** Waits until this member reaches the revision in `?min_revision=`. Throws an error with status 503 on a timeout. */
export async function waitForRevision(membership: FleetMembership, request: IncomingMessage): Promise<void> {
  const wanted = new URLSearchParams(targetOf(request).query).get('min_revision');
  if (wanted === null) return;
  if (!/^\d{1,15}$/.test(wanted))
    throw requestError(`min_revision must be a number, not ${JSON.stringify(wanted)}`, 400);
  if (await membership.waitFor(Number(wanted), timeouts.read)) return;
  const message = `this member is at revision ${membership.revision} of the fleet, and has not reached ${wanted} yet: retry, or use another member`;
  throw new RequestError('ERR_FLEET_BEHIND', message, { status: 503 });
}
