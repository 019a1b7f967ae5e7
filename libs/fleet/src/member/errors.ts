/** Errors for changes that a member rejects, and for changes with an unknown result. */
import { messageOf, SluiceError } from '@sluice/base';
import type { Head } from '../entry.ts';

/** Creates the error for a store whose history is not a continuation of this member's history. The status is 409. */
export function forkError(reason: string): SluiceError {
  const message = `this member has diverged from the fleet: ${reason}; compare both histories with GET /fleet, and adopt the store's document with POST /fleet/adopt`;
  return new SluiceError('ERR_FLEET_FORKED', message, { status: 409 });
}

/** Creates the error for a member that could not apply the fleet's configuration. The status is 409. */
export function behindError(rev: number, message: string): SluiceError {
  const advice =
    'change the configuration through another member, or fix the cause and call POST /fleet/retry on this member';
  return new SluiceError('ERR_FLEET_BEHIND', `this member could not apply revision ${rev}: ${message}; ${advice}`, {
    status: 409,
  });
}

/** Creates the error for a store that is empty although another member has a history. The store was wiped or replaced. The status is 409. */
export function emptyError(member: string): SluiceError {
  const message = `the store is empty although member ${member} has a history, so it was wiped or replaced; call POST /fleet/adopt on the member whose configuration should be kept`;
  return new SluiceError('ERR_FLEET_EMPTY', message, { status: 409 });
}

/** Creates the error for an edit whose array index may be outdated, because other members changed the array. The status is 412. */
export function movedError(base: number, now: number): SluiceError {
  const message = `the edit was based on revision ${base}, and an array that it addresses by index has changed since then, up to revision ${now}; read the configuration again and repeat the change`;
  return new SluiceError('ERR_FLEET_MOVED', message, { status: 412 });
}

/** Creates the error for an edit whose attempts all conflicted with configuration changes by other members. The status is 412. */
export function contentionError(base: number, now: number): SluiceError {
  const message = `other members changed the configuration during each attempt, from revision ${base} to ${now}; repeat the change`;
  return new SluiceError('ERR_FLEET_MOVED', message, { status: 412 });
}

/** Error for a change whose operation ID was already applied. The status is 409, unless the caller handles the error. */
export class MadeBefore extends SluiceError {
  readonly rev: number;

  constructor(rev: number) {
    super('ERR_FLEET_KNOWN', `this operation was already applied, as revision ${rev}`, { status: 409 });
    this.rev = rev;
  }
}

/** Creates the error for an idempotency key that was used for another change. The status is 422. */
export function keyError(op: string, rev: number | null): SluiceError {
  const made = rev === null ? 'which is being rolled out' : `which was applied as revision ${rev}`;
  const message = `the Idempotency-Key ${op} was used for a different change, ${made}; nothing was changed; use a new key`;
  return new SluiceError('ERR_FLEET_KEY', message, { status: 422 });
}

/** Creates the error for an idempotency key that was used for a rolled-back rollout. The status is 409. */
export function rolledBackError(op: string, why: string | null): SluiceError {
  const message = `the rollout with the Idempotency-Key ${op} was rolled back${why === null ? '' : `: ${why}`}; nothing was changed; use a new key to try again`;
  return new SluiceError('ERR_FLEET_KEY', message, { status: 409 });
}

/** Creates the error for a change whose result cannot be determined at present. The status is 504. */
export function unknownOutcome(op: string, cause: unknown): SluiceError {
  const message = `the store did not report the result of the change; when it is available again, check GET /fleet/ops/${op}, or repeat the change with Idempotency-Key: ${op}`;
  return new SluiceError('ERR_FLEET_UNKNOWN', message, { status: 504, cause });
}

/** Creates the error for an unavailable store. The status is 503. */
export function unavailableError(since: number, cause: unknown, reason = messageOf(cause)): SluiceError {
  const why = cause === null && reason === 'null' ? '' : ` (${reason})`;
  const message = `the fleet store has been unavailable since ${new Date(since).toISOString()}${why}; nothing was changed, and requests are served as before`;
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503, cause });
}

/** Creates the error for a member that has not read the fleet document yet. The status is 503. */
export function joiningError(since: number): SluiceError {
  const message = `this member has been joining the fleet since ${new Date(since).toISOString()} and has not read the configuration yet; nothing was changed; retry in a moment`;
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503 });
}

/** Error for an edit that must be repeated because another member's change was accepted first. Never sent to clients. */
export class Overtaken extends SluiceError {
  readonly head: Head | null;

  constructor(head: Head | null) {
    super('ERR_FLEET_MOVED', 'another member changed the configuration first', { status: 412 });
    this.head = head;
  }
}
