/**
 * Changes that have to be confirmed: one is in force at once, and undone unless it is confirmed in time; so that a
 * change that locks its author out does not stay. It is saved only when it is confirmed. Meanwhile other changes are
 * refused: they would either be lost with it or keep it.
 */
import { guarded, taskOf, unawaited, jsonEqual, type Json, SluiceError } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';

/** A change in force that waits for its confirmation. */
export interface Unconfirmed {
  readonly revision: number;
  /** When it is undone, in milliseconds since 1970. */
  readonly deadline: number;
  /** The document that is gone back to. */
  readonly before: Json;
  /** From that document to the one in force. */
  readonly operations: readonly PatchOperation[];
  /** Who asked for the change; see `ChangeOptions.by`. */
  readonly by: string | null;
}

/** How long to wait after an undoing that failed, in milliseconds. */
const pause = 5_000;

/** Holds the one change that may wait at a time. */
export class Confirmation {
  readonly #undo: (change: Unconfirmed) => Promise<void>;
  #waiting: Unconfirmed | null = null;
  #timer: NodeJS.Timeout | null = null;

  /** `undo` goes back to the document before; what it rejects with is for it to log, and it is called again. */
  constructor(undo: (change: Unconfirmed) => Promise<void>) {
    this.#undo = undo;
  }

  /** What waits, or `null`. */
  get waiting(): Unconfirmed | null {
    return this.#waiting;
  }

  /** Whether a change goes back to the document before the one that waits. */
  goesBack(after: Json): boolean {
    const before = this.#waiting?.before;
    return before !== undefined && (after === before || jsonEqual(after, before));
  }

  /** Refuses what does not go back while something waits: an error of status 409. Taps {@link ChangeHooks.proposed}. */
  check(after: Json): void {
    const waiting = this.#waiting;
    if (waiting === null || this.goesBack(after)) return;
    const until = new Date(waiting.deadline).toISOString();
    throw unconfirmedError(
      `revision ${waiting.revision} is waiting for confirmation until ${until}: confirm it, or wait until it is reverted`,
    );
  }

  /** Begins to wait, after the change was applied. */
  begin(change: Unconfirmed): void {
    this.end();
    this.#waiting = change;
    this.#wait(change, Math.max(0, change.deadline - Date.now()));
  }

  /** What waits for the confirmation of a revision; an error of status 409 if that is not the one that waits. */
  find(revision: number): Unconfirmed {
    const waiting = this.#waiting;
    if (waiting?.revision !== revision)
      throw unconfirmedError(`revision ${revision} is not waiting for confirmation: it was confirmed or reverted`);
    return waiting;
  }

  /** Ends the waiting for a revision, and gives what waited; see {@link find}. */
  confirm(revision: number): Unconfirmed {
    const waiting = this.find(revision);
    this.end();
    return waiting;
  }

  /** Ends any waiting. */
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
