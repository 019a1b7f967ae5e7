/** Applies changes from other members in log order, as differences. These changes never run concurrently with changes made on this member. */
import { codeField, isSluiceError, messageOf, type Json, type Logger } from '@sluice/base';
import { shareSubtrees, type ChangeOptions, type Reconciler } from '@sluice/reconciler';
import type { Snapshot } from '../store.ts';
import { KnownLog, type Batch } from './known-log.ts';
import type { MemberState } from './member-state.ts';

export interface ApplierOptions {
  readonly reconciler: Reconciler;
  readonly log: Logger;
  readonly state: MemberState;
  /** Callback invoked with a batch of other members' changes before the batch is applied. */
  readonly onBatch: (batch: Batch) => void;
}

export class Applier {
  readonly known: KnownLog = new KnownLog();
  readonly #options: ApplierOptions;
  /** IDs of operations in progress that apply changes from other members. */
  readonly #under = new Set<string>();
  #count = 0;
  /** True if the log contains the confirmation of the pending change. */
  #confirmed = false;
  #applying: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Reports whether an operation applies other members' changes. */
  applies(op: string): boolean {
    return this.#under.has(op);
  }

  /** True if the log contains the confirmation of the pending change. */
  get isConfirmed(): boolean {
    return this.#confirmed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#applying;
  }

  /** Applies new log entries once the work in progress has finished. */
  apply(): Promise<void> {
    const { state } = this.#options;
    const run = this.#applying.then(async () => {
      while (!this.#closed && state.fork === null && (await this.#applyNext()));
    });
    this.#applying = run.catch(() => undefined);
    return run;
  }

  async #applyNext(): Promise<boolean> {
    const { next } = this.known;
    if (next === undefined) return false;
    const { confirm } = next;
    const options = {
      origin: `fleet ${next.who}`,
      confirmWithin: confirm !== undefined && 'within' in confirm ? confirm.within : undefined,
    };
    const onApplied = async (): Promise<void> => {
      if (confirm !== undefined && 'of' in confirm) await this.#confirm();
    };
    await this.#change(options, onApplied, () => {
      // A change on this member may have run first.
      const batch = this.known.next === next ? this.known.take() : null;
      if (batch !== null) this.#options.onBatch(batch);
      return batch?.place ?? null;
    });
    return true;
  }

  /**
   * Changes the reconciler's document to the document at a log position. `go` determines the position when the change runs. If `go` returns
   * `null`, there is nothing to do.
   */
  async #change(
    options: Pick<ChangeOptions, 'origin' | 'confirmWithin'>,
    onApplied: () => Promise<void>,
    go: (document: Json) => Snapshot | null,
  ): Promise<void> {
    const { reconciler, state } = this.#options;
    const op = `follow ${++this.#count}`;
    this.#under.add(op);
    const target: { place: Snapshot | null } = { place: null };
    try {
      const edit = (document: Json): Json => {
        target.place = go(document);
        return target.place === null ? document : target.place.document;
      };
      await reconciler.change(edit, { ...options, op });
      if (target.place === null) return;
      await onApplied();
      state.apply(target.place.head);
    } catch (error) {
      if (target.place === null) throw error;
      this.#reject(error, target.place.head.rev);
    } finally {
      this.#under.delete(op);
    }
  }

  /** Processes the confirmation of the pending change by another member. */
  async #confirm(): Promise<void> {
    const { reconciler } = this.#options;
    this.#confirmed = true;
    try {
      if (reconciler.unconfirmed !== null) await reconciler.confirm(reconciler.unconfirmed.revision);
    } finally {
      this.#confirmed = false;
    }
  }

  #reject(error: unknown, rev: number): void {
    const { state, log } = this.#options;
    const path = isSluiceError(error) ? error.where : null;
    state.reject({ rev, path, message: messageOf(error) });
    const message = 'failed to apply fleet revision; keeping the current configuration';
    log.error(message, { rev, error: messageOf(error), ...codeField(error) });
  }

  /** Moves the reconciler to a log position by applying a single difference. Moves to an earlier position only if `isBack` is true. */
  async bring(place: Snapshot, origin: string, isBack = false): Promise<void> {
    await this.#change({ origin }, nothing, (document) => {
      if (!isBack && this.known.rev > place.head.rev) return null;
      const shared = { head: place.head, document: shareSubtrees(document, place.document) };
      this.known.begin(shared);
      return shared;
    });
  }
}

const nothing = async (): Promise<void> => {};
