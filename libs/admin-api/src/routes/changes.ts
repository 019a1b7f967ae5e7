/** Functions for all routes that change the configuration. They apply edits, perform dry runs, and map errors to status codes. */
import type { ServerResponse } from 'node:http';
import { isSluiceError, messageOf, type Logger } from '@sluice/base';
import { fleetHandle, type AdapterWarning } from '@sluice/contracts';
import type { ChangeOptions, ChangeResult, Edit } from '@sluice/reconciler';
import { parsePlan, type StepsState } from '@sluice/rollout';
import type { ApiOptions } from '../api-options.ts';
import { checkPolicies, requiredTests } from '../policies/policies.ts';
import type { RequestedChange } from '../call.ts';
import type { AppliedEdit } from './applied-edit.ts';
import { isBug, isRequestError, RequestError } from '../errors.ts';
import { sendDocument, sendEmpty, sendJson } from '../http/send.ts';
import { rehearsalBody, type RehearsalReader } from './rehearsal-body.ts';

/** Creates the error for a rejected configuration. The error has one status for plain changes and one for features that Caddy lacks. */
export function refusal(error: unknown, status: number, stage: string, log: Logger): RequestError {
  if (isRequestError(error)) return error;
  if (isBug(error) || !isSluiceError(error)) {
    log.error('configuration change failed', {
      error,
      stack: error instanceof Error ? error.stack : undefined,
      cause: causeOf(error),
    });
  }
  const code = isSluiceError(error) ? error.code : '';
  if (code === 'ERR_UNCONFIRMED' || code === 'ERR_BEHAVIOR')
    return new RequestError(code, messageOf(error), { status: 409 });
  if (code === 'ERR_SHADOW' || code === 'ERR_TESTS')
    return new RequestError(code, messageOf(error), { status: statusOf(error) });
  if (code === 'ERR_POLICY') return new RequestError(code, messageOf(error), { status: 403 });
  const [, area = ''] = code.split('_');
  if (area === 'FLEET' || area === 'ROLLOUT')
    return new RequestError(code, messageOf(error), { status: statusOf(error) });
  if (code === 'ERR_UPGRADE') return new RequestError(code, messageOf(error), { status: 503 });
  return new RequestError('ERR_ADMIN_REFUSED', `${stage}: ${messageOf(error)}`, {
    status: code === 'ERR_CONFIG_ID' ? 400 : status,
    preciseStatus: 422,
    cause: error,
  });
}

function statusOf(error: unknown): number {
  return isSluiceError(error) ? error.status : 500;
}

function causeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.stack : undefined;
}

/**
 * Applies an edit, or performs a dry run. A dry run must not move the admin endpoint. If an edit moves the endpoint, the old address is
 * closed before the response is sent.
 */
export async function applyEdit(api: ApiOptions, edit: Edit, asked: AskedChange): Promise<AppliedEdit> {
  const options = withPolicies(asked, api);
  const membership = api.reconciler.service(fleetHandle)?.membership ?? null;
  if (membership === null && options.rollout !== null) {
    const { rollOutInSteps } = await import('./step-rollouts.ts');
    return rollOutInSteps(api, edit, { ...options, rollout: options.rollout }, (made) => makeEdit(api, edit, made));
  }
  if (membership === null) return { ...(await makeEdit(api, edit, options)), fleet: null };
  const { changeInFleet, rehearseInFleet } = await import('./fleet-changes.ts');
  if (options.dryRun === true) return rehearseInFleet(membership, await makeEdit(api, edit, options));
  return changeInFleet(membership, options, (named) => makeEdit(api, edit, named));
}

/** A change that a client requests. `isApproved` is true if another client proposed the change. */
export interface AskedChange extends RequestedChange {
  readonly isApproved?: boolean;
  /** Callback invoked when a gradual rollout has finished. */
  readonly onRolledOut?: (state: StepsState) => void;
}

/**
 * Adds the conditions of the active policies to a change. A dry run with `?dry_run=behavior` only reports the results of the required
 * tests. Other dry runs skip the policies.
 */
function withPolicies(asked: AskedChange, { log }: ApiOptions): AskedChange {
  const { isApproved = false, override, rollout, confirmWithin, expectSame, confined } = asked;
  if (asked.dryRun === true && rollout === null) return asked.comparesBehavior === true ? withTests(asked) : asked;
  const isConfirmed = rollout !== null || confirmWithin !== undefined;
  const plan = rollout === null ? null : parsePlan(rollout);
  const expected: NonNullable<ChangeOptions['expected']> = (before, after) => {
    const required = checkPolicies(before, after, { isApproved, isConfirmed, plan, override, confined });
    return expectSame ? { tests: [], confined, ...required, exceptHosts: [[]] } : required;
  };
  if (override === null) return { ...asked, expected };
  const { origin = 'api', by = null } = asked;
  log.warn('policies overridden', { reason: override, origin, by: by ?? '' });
  return { ...asked, expected, origin: `${origin} (policies overridden: ${override})` };
}

function withTests(asked: AskedChange): AskedChange {
  const { confined } = asked;
  return {
    ...asked,
    tests: (before, after) => {
      const required = requiredTests(before, after);
      return required.length === 0 ? null : { required, cases: null, confined };
    },
  };
}

async function makeEdit(
  { reconciler, endpoint, remote }: ApiOptions,
  edit: Edit,
  options: ChangeOptions,
): Promise<ChangeResult> {
  const rehearsal = options.dryRun === true ? Symbol('rehearsal') : null;
  try {
    const result = await reconciler.change((document) => {
      endpoint.rehearsal = rehearsal;
      return edit(document);
    }, options);
    await Promise.all([endpoint.settled(), remote?.settled()]);
    return result;
  } finally {
    // Clear the field only if it still belongs to this dry run, because the next change may already be running.
    if (endpoint.rehearsal === rehearsal) endpoint.rehearsal = null;
  }
}

/**
 * Sends the result of a change. The body is empty for an applied change and contains the deadline for a change that needs confirmation. For
 * a dry run, the body contains the effect, limited to the client's scope.
 */
export async function respondToChange(
  response: ServerResponse,
  result: ChangeResult & Partial<Pick<AppliedEdit, 'fleet' | 'steps'>>,
  warnings: readonly AdapterWarning[],
  reader: RehearsalReader,
): Promise<void> {
  if (result.report === null) {
    const { unconfirmed, unsaved, fleet = null, steps = null } = result;
    if (fleet !== null) response.setHeader('Sluice-Revision', String(fleet.revision));
    if (steps !== null) {
      sendJson(response, 202, { rollout: steps }, { Location: '/rollout' });
      return;
    }
    if (fleet?.rollout != null) {
      sendJson(response, 202, { rollout: fleet.rollout }, { Location: '/fleet/rollout' });
      return;
    }
    const wait =
      unconfirmed === null ? {} : { revision: unconfirmed.revision, confirm_by: formatTime(unconfirmed.deadline) };
    const all = unsaved === null ? warnings : [...warnings, unsavedWarning(unsaved)];
    const body = {
      ...(all.length === 0 ? {} : { warnings: all }),
      ...wait,
      ...(unsaved === null ? {} : { saved: false }),
      ...(fleet?.reach == null ? {} : { fleet_revision: fleet.revision, members: fleet.reach.members }),
    };
    if (Object.keys(body).length === 0) sendEmpty(response);
    else sendJson(response, fleet?.reach?.reached === false ? 202 : 200, body);
    return;
  }
  await sendDocument(response, rehearsalBody(result, result.report, warnings, reader));
}

/**
 * Returns the warning for an active change that could not be saved, for example because the disk is full. The status is 200, because
 * clients must not repeat the change. Programs can check for `saved: false`; the warning text is for people.
 */
export function unsavedWarning(reason: string): AdapterWarning {
  const message = `the change is in effect but could not be saved, so a restart with --resume would lose it: ${reason}`;
  return { file: '', line: 0, message };
}

/** Formats a time in milliseconds since 1970 as RFC 3339. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
