/**
 * Changes that require confirmation. Such a change becomes active immediately, but is reverted unless it is confirmed in time. If a change
 * locks out its author, the lockout is therefore temporary. The change is saved only after confirmation. Until then, other changes are
 * rejected, because the revert would discard them.
 */
import { guarded, taskOf, unawaited, jsonEqual, type Json, SluiceError } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';

/** An active change that is waiting for confirmation. */
export interface Unconfirmed {
  readonly revision: number;
  /** Time when the change will be reverted, in milliseconds since the Unix epoch. */
  readonly deadline: number;
  /** Document to restore when the change is reverted. */
  readonly before: Json;
  /** JSON Patch from the previous document to the active one. */
  readonly operations: readonly PatchOperation[];
  /** Author of the change; see `ChangeOptions.by`. */
  readonly by: string | null;
}

/** Delay before retrying a failed revert, in milliseconds. */
const pause = 5_000;

/** Manages the change that is waiting for confirmation. At most one change can wait. */
export class Confirmation {
  readonly #undo: (change: Unconfirmed) => Promise<void>;
  #waiting: Unconfirmed | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `undo` reverts to the previous document. It must log its errors. If its promise rejects, it is called again. */
  constructor(undo: (change: Unconfirmed) => Promise<void>) {
    this.#undo = undo;
  }

  /** The change that is waiting for confirmation, or `null`. */
  get waiting(): Unconfirmed | null {
    return this.#waiting;
  }

  /** Reports whether a document would revert the change that is waiting for confirmation. */
  goesBack(after: Json): boolean {
    const before = this.#waiting?.before;
    return before !== undefined && (after === before || jsonEqual(after, before));
  }

  /**
   * While a change is waiting for confirmation, rejects other changes with status 409. A change that reverts it is allowed. Registered for
   * {@link ChangeHooks.proposed}.
   */
  check(after: Json): void {
    const waiting = this.#waiting;
    if (waiting === null || this.goesBack(after)) return;
    const until = new Date(waiting.deadline).toISOString();
    throw unconfirmedError(
      `revision ${waiting.revision} is waiting for confirmation until ${until}: confirm it, or wait until it is reverted`,
    );
  }

  /** Starts the confirmation period after the change was applied. */
  begin(change: Unconfirmed): void {
    this.end();
    this.#waiting = change;
    this.#wait(change, Math.max(0, change.deadline - Date.now()));
  }

  /**
   * Returns the waiting change if it has the given revision. Otherwise, throws an error with status
   * 409.
   */
  find(revision: number): Unconfirmed {
    const waiting = this.#waiting;
    if (waiting?.revision !== revision)
      throw unconfirmedError(
        `revision ${revision} is not waiting for confirmation: it was already confirmed or reverted`,
      );
    return waiting;
  }

  /** Ends the confirmation period of a revision and returns the change; see {@link find}. */
  confirm(revision: number): Unconfirmed {
    const waiting = this.find(revision);
    this.end();
    return waiting;
  }

  /** Ends the confirmation period, if there is one. */
  end(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#waiting = null;
  }

  #wait(change: Unconfirmed, delay: number): void {
    const undo = (): void =>
      unawaited(
        taskOf('admin'),
        this.#undo(change).then(null, () => {
          if (this.#waiting === change) this.#wait(change, pause);
        }),
      );
    this.#timer = setTimeout(guarded(taskOf('admin'), undo), delay);
  }
}

function unconfirmedError(message: string): SluiceError {
  return new SluiceError('ERR_UNCONFIRMED', message, { status: 409 });
}
