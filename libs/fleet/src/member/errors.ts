/** Reasons why a member rejects a change or does not know the result. */
import { messageOf, SluiceError } from '@sluice/base';
import type { Head } from '../entry.ts';

/** The store's history does not continue the member's. Status 409. */
export function forkError(reason: string): SluiceError {
  const message = `this member has diverged from the fleet: ${reason}; compare both with GET /fleet, and adopt the store's document with POST /fleet/adopt`;
  return new SluiceError('ERR_FLEET_FORKED', message, { status: 409 });
}

/** The member could not apply the fleet's configuration. Status 409. */
export function behindError(rev: number, message: string): SluiceError {
  const advice = 'change the configuration through another member, or fix the cause and call POST /fleet/retry here';
  return new SluiceError('ERR_FLEET_BEHIND', `this member could not apply revision ${rev}: ${message}; ${advice}`, {
    status: 409,
  });
}

/** The store is empty, but another member has a history, so the store was wiped or replaced. Status 409. */
export function emptyError(member: string): SluiceError {
  const message = `the store is empty although member ${member} has a history, so it was wiped or replaced; call POST /fleet/adopt on the member whose configuration should be kept`;
  return new SluiceError('ERR_FLEET_EMPTY', message, { status: 409 });
}

/** Other members changed the array that the edit addresses by index, so the status is 412. */
export function movedError(base: number, now: number): SluiceError {
  const message = `the edit was based on revision ${base}, and an array that it addresses by index has changed since then, up to revision ${now}; read the configuration again and repeat the change`;
  return new SluiceError('ERR_FLEET_MOVED', message, { status: 412 });
}

/** Other members changed the configuration during each attempt. Status 412. */
export function contentionError(base: number, now: number): SluiceError {
  const message = `other members changed the configuration during each attempt, from revision ${base} to ${now}; repeat the change`;
  return new SluiceError('ERR_FLEET_MOVED', message, { status: 412 });
}

/** Another change with the same operation ID was already applied. Status 409, unless the caller handles it. */
export class MadeBefore extends SluiceError {
  readonly rev: number;

  constructor(rev: number) {
    super('ERR_FLEET_KNOWN', `the change of this operation was already applied, as revision ${rev}`, { status: 409 });
    this.rev = rev;
  }
}

/** The idempotency key was used for another change. Status 422. */
export function keyError(op: string, rev: number | null): SluiceError {
  const made = rev === null ? 'which is being rolled out' : `which was applied as revision ${rev}`;
  const message = `the Idempotency-Key ${op} was used for a different change, ${made}; nothing was changed; use a new key`;
  return new SluiceError('ERR_FLEET_KEY', message, { status: 422 });
}

/** The idempotency key was used for a rollout that was rolled back. Status 409. */
export function rolledBackError(op: string, why: string | null): SluiceError {
  const message = `the rollout of the Idempotency-Key ${op} was rolled back${why === null ? '' : `: ${why}`}; nothing was changed; use a new key to try again`;
  return new SluiceError('ERR_FLEET_KEY', message, { status: 409 });
}

/** The result of the change cannot currently be determined. Status 504. */
export function unknownOutcome(op: string, cause: unknown): SluiceError {
  const message = `the store did not report the result of the change; when it is available again, check GET /fleet/ops/${op}, or repeat the change with Idempotency-Key: ${op}`;
  return new SluiceError('ERR_FLEET_UNKNOWN', message, { status: 504, cause });
}

/** The store is unavailable. Status 503. */
export function unavailableError(since: number, cause: unknown, reason = messageOf(cause)): SluiceError {
  const why = cause === null && reason === 'null' ? '' : ` (${reason})`;
  const message = `the fleet store has been unavailable since ${new Date(since).toISOString()}${why}; nothing was changed, and requests are served as before`;
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503, cause });
}

/** The member has not read the fleet document yet. Status 503. */
export function joiningError(since: number): SluiceError {
  const message = `this member has been joining the fleet since ${new Date(since).toISOString()} and has not read the configuration yet; nothing was changed; retry in a moment`;
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503 });
}

/** Another member's change was first, so the edit is repeated. Never sent to clients. */
export class Overtaken extends SluiceError {
  readonly head: Head | null;

  constructor(head: Head | null) {
    super('ERR_FLEET_MOVED', 'another member changed the configuration first', { status: 412 });
    this.head = head;
  }
}
