/**
 * Changes that require confirmation become active immediately and are reverted unless they are confirmed in time, so
 * that a change that locks out its author is not permanent. The change is saved only after confirmation. Until then,
 * other changes are rejected, because the revert would discard them.
 */
import { guarded, taskOf, unawaited, jsonEqual, type Json, SluiceError } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';

/** An active change that awaits confirmation. */
export interface Unconfirmed {
  readonly revision: number;
  /** Time of the revert, in milliseconds since the Unix epoch. */
  readonly deadline: number;
  /** The document to revert to. */
  readonly before: Json;
  /** JSON Patch from the earlier document to the active one. */
  readonly operations: readonly PatchOperation[];
  /** The change's author; see `ChangeOptions.by`. */
  readonly by: string | null;
}

/** Delay before a failed revert is retried, in milliseconds. */
const pause = 5_000;

/** Manages the pending change. At most one change is pending. */
export class Confirmation {
  readonly #undo: (change: Unconfirmed) => Promise<void>;
  #waiting: Unconfirmed | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `undo` reverts to the previous document. `undo` must log its own errors; if it rejects, it is called again. */
  constructor(undo: (change: Unconfirmed) => Promise<void>) {
    this.#undo = undo;
  }

  /** The pending change, or `null`. */
  get waiting(): Unconfirmed | null {
    return this.#waiting;
  }

  /** Reports whether a change reverts the pending one. */
  goesBack(after: Json): boolean {
    const before = this.#waiting?.before;
    return before !== undefined && (after === before || jsonEqual(after, before));
  }

  /**
   * Rejects changes other than a revert while a change is pending, with status 409. Taps {@link ChangeHooks.proposed}.
   */
  check(after: Json): void {
    const waiting = this.#waiting;
    if (waiting === null || this.goesBack(after)) return;
    const until = new Date(waiting.deadline).toISOString();
    throw unconfirmedError(
      `revision ${waiting.revision} is waiting for confirmation until ${until}: confirm it, or wait until it is reverted`,
    );
  }

  /** Starts the confirmation period, after the change was applied. */
  begin(change: Unconfirmed): void {
    this.end();
    this.#waiting = change;
    this.#wait(change, Math.max(0, change.deadline - Date.now()));
  }

  /** Returns the pending change if it has this revision. Throws an error with status 409 if there is no such change. */
  find(revision: number): Unconfirmed {
    const waiting = this.#waiting;
    if (waiting?.revision !== revision)
      throw unconfirmedError(`revision ${revision} is not waiting for confirmation: it was confirmed or reverted`);
    return waiting;
  }

  /** Ends the confirmation period for a revision and returns the change; see {@link find}. */
  confirm(revision: number): Unconfirmed {
    const waiting = this.find(revision);
    this.end();
    return waiting;
  }

  /** Ends any confirmation period. */
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
