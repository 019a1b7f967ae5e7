/**
 * Participation of a member in rollouts. The member checks for a rollout, serves the new or the old document, and reports its state and
 * counters. If the rollout state is no longer updated, the member reverts the change by itself.
 */
import { isSluiceError, messageOf, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { applyOperations, hashNode, type DocumentView, type Reconciler } from '@sluice/reconciler';
import { operationsOf } from '../member/known-log.ts';
import type { MemberState } from '../member/member-state.ts';
import type { FleetStore } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import { isWithinFirst } from '@sluice/rollout';
import { readChange } from './kept-change.ts';
import { Meter, type MakeReader } from './meter.ts';
import type { RolloutReport } from './reports.ts';
import { decodeState, isActive, keys, type RolloutChange, type RolloutState } from './rollout.ts';

/**
 * Times in milliseconds. Two are polling intervals, during and between rollouts. The others are timeouts after which the member reverts the
 * change if the rollout state is not updated.
 */
const times = { look: 1000, idle: 2000, maxSilence: 15_000, afterHold: 10_000 };

export interface ParticipantOptions {
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly name: string;
  /** ID of the process that runs this member. */
  readonly instance: string;
  readonly environment: MemberEnvironment;
  readonly state: MemberState;
  readonly log: Logger;
  /** Creates the counter of requests that a change affects. */
  readonly makeReader: MakeReader;
  /** Callback invoked when this member's report has changed. */
  readonly onReport: () => void;
  /** Callback invoked for an active rollout. `silence` is the time since its state was last written, in milliseconds. */
  readonly onLook: (change: RolloutChange, silence: number) => Promise<void>;
}

export class Participant {
  readonly #options: ParticipantOptions;
  readonly #meter: Meter;
  #state: RolloutState | null = null;
  #change: RolloutChange | null = null;
  /** Time of the last state update that this member received. */
  #heard = 0;
  /** ID of the rollout whose change this member serves. The next rollout may start before this member detects that this rollout has ended. */
  #tried: string | null = null;
  /** Fraction of the clients that have the change. 1 means all clients. */
  #share = 0;
  /** Rollout that failed to load on this member, with the path and the reason. */
  #failed: Pick<RolloutReport, 'id' | 'path' | 'message'> | null = null;
  #report: RolloutReport | null = null;
  #lastReport = '';
  #closed = false;

  constructor(options: ParticipantOptions) {
    this.#options = options;
    this.#meter = new Meter(options.makeReader);
  }

  /** Most recently read rollout state, which may belong to a completed rollout. */
  get state(): RolloutState | null {
    return this.#state;
  }

  get change(): RolloutChange | null {
    return this.#change;
  }

  /** Rollout report of this member. `null` if there is no rollout. */
  get report(): RolloutReport | null {
    return this.#report;
  }

  start(): void {
    unawaited(taskOf('sluice.fleet'), this.#loop());
  }

  close(): void {
    this.#closed = true;
  }

  async read(): Promise<RolloutState | null> {
    const { store, environment } = this.#options;
    const text = (await store.values(keys.state)).get(keys.state);
    const state = text === undefined ? null : decodeState(text);
    if (state !== null && state.id !== this.#change?.id) {
      this.#change = await readChange(store, state.id);
    }
    if (state?.beat !== this.#state?.beat || state?.id !== this.#state?.id) this.#heard = environment.now();
    this.#state = state;
    return state;
  }

  async #loop(): Promise<void> {
    const { environment, log } = this.#options;
    if (this.#closed) return;
    try {
      await this.read();
    } catch {
      // Ignore the error: the store is unavailable, which is reported elsewhere.
    }
    try {
      await this.#settle();
    } catch (error) {
      log.warn('failed to roll back a rollout change; will retry', { error: messageOf(error) });
    }
    await this.#updateReport();
    environment.after(isActive(this.#state) || this.#tried !== null ? times.look : times.idle, () =>
      unawaited(taskOf('sluice.fleet'), this.#loop()),
    );
  }

  /** Switches to the configuration that this member must serve in the current rollout state. */
  async #settle(): Promise<void> {
    const { log } = this.#options;
    const change = this.#change;
    const wanted = this.#isWanted(change) ? change : null;
    const id = wanted?.id ?? this.#tried;
    const share = wanted === null ? 0 : this.#wantedShare(wanted);
    if (id === null || ((wanted?.id ?? null) === this.#tried && share === this.#share)) return;
    // A new rollout has started. End the previous one first.
    if (this.#tried !== null && this.#tried !== id) await this.#serve(this.#tried, null, 0);
    try {
      await this.#serve(id, wanted, share);
      log.info(wanted === null ? "rolled back to the fleet's configuration" : 'loading a rollout change', {
        id,
        share,
      });
    } catch (error) {
      if (wanted === null) throw error;
      log.error('failed to load a rollout change', { id, error: messageOf(error) });
      this.#failed = { id: wanted.id, path: isSluiceError(error) ? error.where : null, message: messageOf(error) };
    }
  }

  /** Serves a change to a fraction of the clients. A share of 1 means all clients, and 0 means none. */
  async #serve(id: string, change: RolloutChange | null, share: number): Promise<void> {
    const { reconciler } = this.#options;
    const isShared = this.#tried === id && this.#share < 1;
    const origin = `fleet rollout ${id}${change === null ? ', rolled back' : ''}`;
    const keep = (document: Json): Json => document;
    if (change === null && isShared) {
      await reconciler.shareCanary(id, 0);
      await reconciler.endCanary(id);
    } else if (change === null || share === 1) {
      const variant = change === null ? null : variantOf(change);
      await reconciler.change(keep, { variant, origin, endsCanary: isShared });
    } else if (isShared) await reconciler.shareCanary(id, share);
    else {
      const settings = { id, key: change.plan.key ?? { of: 'connection' as const }, share };
      const onEnd = (reason: string): void => this.#ended(id, reason);
      await reconciler.startCanary({ edit: variantOf(change), settings, onEnd }, { origin });
    }
    this.#tried = change?.id ?? null;
    this.#share = change === null ? 0 : share;
  }

  /** Handles a canary that ended early because of another change, for example a change from a provider. */
  #ended(id: string, message: string): void {
    if (this.#tried !== id) return;
    this.#tried = null;
    this.#share = 0;
    this.#failed = { id, path: null, message };
  }

  #wantedShare({ plan }: RolloutChange): number {
    const stage = plan.stages[this.#state?.stage ?? 0];
    return isWithinFirst(stage) ? stage.firstPercent / 100 : 1;
  }

  #isWanted(change: RolloutChange | null): change is RolloutChange {
    const { name, instance, state, environment } = this.#options;
    const rollout = this.#state;
    if (change === null || rollout === null || rollout.id !== change.id || rollout.phase === 'taken_back') return false;
    const maxSilence = Math.min(times.maxSilence, change.plan.hold + times.afterHold);
    return (
      rollout.members[name] === instance &&
      this.#failed?.id !== change.id &&
      // If the log has advanced, the document already reflects the decision.
      state.applied?.rev === change.base.rev &&
      // The change of a completed rollout stays active until the log contains its entry.
      (isActive(rollout) || this.#tried === change.id) &&
      environment.now() - this.#heard < maxSilence
    );
  }

  async #updateReport(): Promise<void> {
    const { reconciler, onReport, onLook, environment, log } = this.#options;
    const [rollout, change] = [this.#state, this.#change];
    try {
      if (isActive(rollout) && change?.id === rollout.id) {
        const isMade = this.#tried === change.id;
        const served = !isMade ? 'none' : this.#share < 1 ? 'share' : 'all';
        const counted = await this.#meter.count({ reconciler, change, served, window: rollout.window });
        const failed = this.#failed?.id === change.id ? this.#failed : null;
        const has = isMade ? 'new' : failed === null ? 'old' : 'failed';
        const heard = isMade ? rollout.beat : 0;
        this.#report = {
          id: change.id,
          has,
          heard,
          ...counted,
          path: failed?.path ?? null,
          message: failed?.message ?? null,
        };
        await onLook(change, environment.now() - this.#heard);
      } else this.#report = null;
    } catch (error) {
      log.debug('failed to report rollout status', { error: messageOf(error) });
    }
    const text = JSON.stringify(this.#report);
    if (text !== this.#lastReport) onReport();
    this.#lastReport = text;
  }
}

/** Returns a document view that applies the change to its base document. Other documents stay unchanged. */
function variantOf({ from, patch }: RolloutChange): DocumentView {
  const operations = operationsOf({ patch });
  let last: { readonly of: Json; readonly made: Json } | null = null;
  return (document) => {
    if (hashNode(document) !== from) return document;
    if (last?.of !== document) last = { of: document, made: applyOperations(document, operations) };
    return last.made;
  };
}
