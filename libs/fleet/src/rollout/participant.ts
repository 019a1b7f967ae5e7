/**
 * A member's part in a roll-out: it looks whether there is one, serves what it is to serve, and tells what it has and what it counted.
 * It goes back by itself when it hears nothing of the roll-out any more.
 */
import { isSluiceError, messageOf, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { applyOperations, hashNode, type DocumentView, type Reconciler } from '@sluice/reconciler';
import { operationsOf } from '../member/known-log.ts';
import type { MemberState } from '../member/member-state.ts';
import type { FleetStore } from '../store.ts';
import type { Surroundings } from '../surroundings.ts';
import { readChange } from './kept-change.ts';
import { Meter, type MakeReader } from './meter.ts';
import type { RolloutReport } from './reports.ts';
import { decodeState, isActive, keys, type RolloutChange, type RolloutState } from './rollout.ts';

/** How often it looks while there is a roll-out and while there is none, and how long it goes on unheard, in milliseconds. */
const times = { look: 1000, idle: 2000, unheard: 15_000, afterHold: 10_000 };

/** What it works with. */
export interface ParticipantOptions {
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly name: string;
  /** The life of this member. */
  readonly instance: string;
  readonly surroundings: Surroundings;
  readonly state: MemberState;
  readonly log: Logger;
  /** Makes what counts requests to what a change is about. */
  readonly makeReader: MakeReader;
  /** The report is another one. */
  readonly onReport: () => void;
  /** A roll-out is under way and was written so many milliseconds ago. */
  readonly onLook: (change: RolloutChange, silence: number) => Promise<void>;
}

/** The part of one member. */
export class Participant {
  readonly #options: ParticipantOptions;
  readonly #meter: Meter;
  #state: RolloutState | null = null;
  #change: RolloutChange | null = null;
  /** When the state was written last, as far as this member has heard. */
  #heard = 0;
  /** The roll-out whose change this member serves. The next one may begin before this one was seen to be over. */
  #tried: string | null = null;
  /** The roll-out that could not be loaded here, where and why. */
  #failed: Pick<RolloutReport, 'id' | 'path' | 'message'> | null = null;
  #report: RolloutReport | null = null;
  #told = '';
  #closed = false;

  constructor(options: ParticipantOptions) {
    this.#options = options;
    this.#meter = new Meter(options.makeReader);
  }

  /** How far the roll-out is, as it was read last; also one that is over. */
  get state(): RolloutState | null {
    return this.#state;
  }

  get change(): RolloutChange | null {
    return this.#change;
  }

  /** What this member tells; `null` while there is no roll-out. */
  get report(): RolloutReport | null {
    return this.#report;
  }

  start(): void {
    unawaited(taskOf('sluice.fleet'), this.#loop());
  }

  close(): void {
    this.#closed = true;
  }

  /** Reads how far the roll-out is. */
  async read(): Promise<RolloutState | null> {
    const { store, surroundings } = this.#options;
    const text = (await store.values(keys.state)).get(keys.state);
    const state = text === undefined ? null : decodeState(text);
    if (state !== null && state.id !== this.#change?.id) {
      this.#change = await readChange(store, state.id);
    }
    if (state?.beat !== this.#state?.beat || state?.id !== this.#state?.id) this.#heard = surroundings.now();
    this.#state = state;
    return state;
  }

  async #loop(): Promise<void> {
    const { surroundings, log } = this.#options;
    if (this.#closed) return;
    try {
      await this.read();
    } catch {
      // The store is away, which the member tells of.
    }
    try {
      await this.#settle();
    } catch (error) {
      log.warn('failed to roll back a change of a rollout; will retry', { error: messageOf(error) });
    }
    await this.#tell();
    surroundings.after(isActive(this.#state) || this.#tried !== null ? times.look : times.idle, () =>
      unawaited(taskOf('sluice.fleet'), this.#loop()),
    );
  }

  /** Serves what this member is to serve. */
  async #settle(): Promise<void> {
    const { reconciler, log } = this.#options;
    const change = this.#change;
    const wanted = this.#isWanted(change) ? change : null;
    const id = wanted?.id ?? this.#tried;
    if ((wanted?.id ?? null) === this.#tried) return;
    const variant = wanted === null ? null : variantOf(wanted);
    const origin = `fleet roll-out ${id}${wanted === null ? ', taken back' : ''}`;
    try {
      await reconciler.change((document) => document, { variant, origin });
      this.#tried = wanted?.id ?? null;
      log.info(wanted === null ? "rolled back to the fleet's configuration" : 'trying a change of a rollout', { id });
    } catch (error) {
      if (wanted === null) throw error;
      log.error('failed to load a change of a rollout', { id, error: messageOf(error) });
      this.#failed = { id: wanted.id, path: isSluiceError(error) ? error.where : null, message: messageOf(error) };
    }
  }

  #isWanted(change: RolloutChange | null): change is RolloutChange {
    const { name, instance, state, surroundings } = this.#options;
    const rollout = this.#state;
    if (change === null || rollout === null || rollout.id !== change.id || rollout.phase === 'taken_back') return false;
    const unheard = Math.min(times.unheard, change.plan.hold + times.afterHold);
    return (
      rollout.members[name] === instance &&
      this.#failed?.id !== change.id &&
      // Once the log has it, or something else, the document itself does.
      state.applied?.rev === change.base.rev &&
      // One that is over lasts until the log comes.
      (isActive(rollout) || this.#tried === change.id) &&
      surroundings.now() - this.#heard < unheard
    );
  }

  async #tell(): Promise<void> {
    const { reconciler, onReport, onLook, surroundings, log } = this.#options;
    const [rollout, change] = [this.#state, this.#change];
    try {
      if (isActive(rollout) && change?.id === rollout.id) {
        const isMade = this.#tried === change.id;
        const counted = await this.#meter.count({ reconciler, change, isMade, window: rollout.window });
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
        await onLook(change, surroundings.now() - this.#heard);
      } else this.#report = null;
    } catch (error) {
      log.debug('failed to report rollout status', { error: messageOf(error) });
    }
    const text = JSON.stringify(this.#report);
    if (text !== this.#told) onReport();
    this.#told = text;
  }
}

/** The base with the change; any other document as it is. */
function variantOf({ from, patch }: RolloutChange): DocumentView {
  const operations = operationsOf({ patch });
  let last: { readonly of: Json; readonly made: Json } | null = null;
  return (document) => {
    if (hashNode(document) !== from) return document;
    if (last?.of !== document) last = { of: document, made: applyOperations(document, operations) };
    return last.made;
  };
}
