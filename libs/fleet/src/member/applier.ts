/** Applies what other members made, as differences, in the order of the log and one after the other with the changes of this member. */
import { codeField, isSluiceError, messageOf, type Json, type Logger } from '@sluice/base';
import { shareSubtrees, type ChangeOptions, type Reconciler } from '@sluice/reconciler';
import type { Snapshot } from '../store.ts';
import { KnownLog, type Batch } from './known-log.ts';
import type { MemberState } from './member-state.ts';

/** What an applier works on. */
export interface ApplierOptions {
  readonly reconciler: Reconciler;
  readonly log: Logger;
  readonly state: MemberState;
  /** Called with what others made, before it is applied. */
  readonly onBatch: (batch: Batch) => void;
}

/** The part of a member that applies. */
export class Applier {
  readonly known: KnownLog = new KnownLog();
  readonly #options: ApplierOptions;
  /** The operations under way that apply what others made. */
  readonly #under = new Set<string>();
  #count = 0;
  /** Whether the log has the confirmation of the change that waits for one. */
  #confirmed = false;
  #applying: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /** Whether an operation applies what others made. */
  applies(op: string): boolean {
    return this.#under.has(op);
  }

  /** Whether the log says that the change that waits is confirmed. */
  get isConfirmed(): boolean {
    return this.#confirmed;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#applying;
  }

  /** Applies what has come, one after the other with what is under way. */
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
      // A change of this member may have had its turn before.
      const batch = this.known.next === next ? this.known.take() : null;
      if (batch !== null) this.#options.onBatch(batch);
      return batch?.place ?? null;
    });
    return true;
  }

  /** Has the reconciler take the document of a place, which `go` gives when it is the turn; `null` for nothing to do. */
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

  /** Another member confirmed the change that waits. */
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
    const message = 'a revision of the fleet could not be applied; what was in force stays';
    log.error(message, { rev, error: messageOf(error), ...codeField(error) });
  }

  /** Brings the reconciler to a place that need not be the next one, as a difference; never back, but where that was asked for. */
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
