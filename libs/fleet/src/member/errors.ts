/** Why a member does not make a change, and why it cannot say what became of one. */
import { messageOf, SluiceError } from '@sluice/base';
import type { Head } from '../entry.ts';

/** The store has a history that does not continue the member's. Status 409. */
export function forkError(reason: string): SluiceError {
  const message = `this member is forked: ${reason}; look at GET /fleet, and take what the store has by POST /fleet/adopt`;
  return new SluiceError('ERR_FLEET_FORKED', message, { status: 409 });
}

/** The member could not apply what the fleet has. Status 409. */
export function behindError(rev: number, message: string): SluiceError {
  const advice = 'change the configuration through a member that could, or remove the cause and POST /fleet/retry here';
  return new SluiceError('ERR_FLEET_BEHIND', `this member could not apply revision ${rev}: ${message}; ${advice}`, {
    status: 409,
  });
}

/** The store is empty, and another member has a history: it was wiped or replaced. Status 409. */
export function emptyError(member: string): SluiceError {
  const message = `the store is empty, and the member ${member} has a history: the store was wiped or is another one; found the fleet again by POST /fleet/adopt on the member whose configuration is to stay`;
  return new SluiceError('ERR_FLEET_EMPTY', message, { status: 409 });
}

/** Others have changed what the edit names by its place. Status 412. */
export function movedError(base: number, now: number): SluiceError {
  const message = `the edit was made on revision ${base}, and what it names by an index was changed up to revision ${now}: read it again and repeat the change`;
  return new SluiceError('ERR_FLEET_MOVED', message, { status: 412 });
}

/** Others were faster, again and again. Status 412. */
export function contentionError(base: number, now: number): SluiceError {
  const message = `others changed the configuration meanwhile, from revision ${base} to ${now}, at each attempt: repeat the change`;
  return new SluiceError('ERR_FLEET_MOVED', message, { status: 412 });
}

/** The change was made before, by the same operation. Status 409, for who does not look for it. */
export class MadeBefore extends SluiceError {
  readonly rev: number;

  constructor(rev: number) {
    super('ERR_FLEET_KNOWN', `the change of this operation was made before, as revision ${rev}`, { status: 409 });
    this.rev = rev;
  }
}

/** The key names another change. Status 422. */
export function keyError(op: string, rev: number | null): SluiceError {
  const made = rev === null ? 'which is being rolled out' : `which was made as revision ${rev}`;
  const message = `the Idempotency-Key ${op} is that of another change, ${made}; nothing was changed: use a new key`;
  return new SluiceError('ERR_FLEET_KEY', message, { status: 422 });
}

/** The key began a rollout that was rolled back. Status 409. */
export function rolledBackError(op: string, why: string | null): SluiceError {
  const message = `the rollout of the Idempotency-Key ${op} was rolled back${why === null ? '' : `: ${why}`}; nothing was changed: use a new key to try again`;
  return new SluiceError('ERR_FLEET_KEY', message, { status: 409 });
}

/** What became of the change cannot be found out now. Status 504. */
export function unknownOutcome(op: string, cause: unknown): SluiceError {
  const message = `the store did not say what became of the change; GET /fleet/ops/${op} says so when it is back, and the change can be sent again with Idempotency-Key: ${op}`;
  return new SluiceError('ERR_FLEET_UNKNOWN', message, { status: 504, cause });
}

/** The store is out of reach. Status 503. */
export function awayError(since: number, cause: unknown, reason = messageOf(cause)): SluiceError {
  const why = cause === null && reason === 'null' ? '' : ` (${reason})`;
  const message = `the store of the fleet is unavailable since ${new Date(since).toISOString()}${why}; nothing was changed, and requests are served as before`;
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503, cause });
}

/** The member does not know yet what the fleet has. Status 503. */
export function joiningError(since: number): SluiceError {
  const message = `this member joins the fleet since ${new Date(since).toISOString()}, and has not read yet what it has; nothing was changed: try again in a moment`;
  return new SluiceError('ERR_FLEET_STORE', message, { status: 503 });
}

/** Another member was faster; the edit is run again. Never leaves the member. */
export class Overtaken extends SluiceError {
  readonly head: Head | null;

  constructor(head: Head | null) {
    super('ERR_FLEET_MOVED', 'another member changed the configuration first', { status: 412 });
    this.head = head;
  }
}
