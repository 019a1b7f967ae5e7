/**
 * One gradual rollout. It splits requests between the configurations with and without the change, compares both sides, and promotes or
 * rolls back the change.
 */
import { isSluiceError, messageOf, taskOf, unawaited, type Logger } from '@sluice/base';
import type { SideCounts, SidesReader } from '@sluice/contracts';
import type { ChangeResult, Edit, Reconciler } from '@sluice/reconciler';
import { formatStage, holdOf } from '../plan.ts';
import { judge, tooFewRequests } from '../judge.ts';
import { noTraffic, trafficSince } from '../traffic.ts';
import {
  begun,
  decidedTo,
  isActive,
  nextStep,
  noCounts,
  seen,
  shareOf,
  type Sides,
  type StepsChange,
  type StepsState,
} from './state.ts';

/**
 * Intervals in milliseconds: between checks, between comparisons before the end of a stage, and between attempts to apply the change.
 * Attempts are repeated while another change is waiting for confirmation.
 */
const times = { tick: 250, compare: 1000, retry: 2000 };

export interface StepRolloutOptions {
  readonly reconciler: Pick<Reconciler, 'startCanary' | 'shareCanary' | 'endCanary'>;
  readonly change: StepsChange;
  readonly edit: Edit;
  /** Applies the change and ends its canary. Resolves with the revision. */
  readonly make: () => Promise<{ readonly result: ChangeResult; readonly revision: number }>;
  readonly reader: SidesReader;
  readonly log: Logger;
  /** Called for each new phase or stage. */
  readonly onChange: (state: StepsState) => void;
}

export class StepRollout {
  readonly #options: StepRolloutOptions;
  #state: StepsState;
  #before: SideCounts = noCounts;
  #lostBefore = 0;
  #lookedAt = 0;
  /** Index of the last stage whose final comparison has been made. */
  #complete = -1;
  /** Time of the next attempt to apply the change. */
  #retryAt = 0;
  #pausedBy: string | null = null;
  /** Index of the stage that may complete regardless of the number of requests. */
  #passed = -1;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: StepRolloutOptions) {
    this.#options = options;
    this.#state = begun(options.change);
  }

  get state(): StepsState {
    return this.#state;
  }

  /** Starts the rollout: the first share of requests gets the change. */
  async start(): Promise<void> {
    const { reconciler, change, edit, reader } = this.#options;
    const { id, plan, origin, by } = change;
    const settings = { id, key: plan.key ?? { of: 'connection' as const }, share: shareOf(plan, 0) };
    this.#lostBefore = reader.lost();
    await reconciler.startCanary({ edit, settings, onEnd: (reason) => this.#ended(reason) }, { origin, by });
    this.#before = reader.read();
    this.#lookedAt = performance.now();
    this.#enter(begun({ ...change, when: Date.now() }));
    this.#later();
  }

  pause(by: string): void {
    this.#pausedBy = by;
    if (this.#state.phase === 'holding') this.#enter({ ...this.#state, phase: 'paused', why: `paused by ${by}` });
  }

  /** Resumes a paused rollout. If the rollout waits for more requests, continues without them. */
  resume(): void {
    if (this.#pausedBy === null) this.#passed = this.#state.stage;
    this.#pausedBy = null;
    if (this.#state.phase === 'paused') this.#enter({ ...this.#state, phase: 'holding', why: null });
  }

  /** Applies the change now. */
  promote(): Promise<void> {
    return this.#promote();
  }

  /** Withdraws the change. */
  async abort(why: string): Promise<void> {
    if (isActive(this.#state)) await this.#withdraw(why);
  }

  #later(): void {
    if (!isActive(this.#state)) return;
    this.#timer = setTimeout(() => unawaited(taskOf('sluice.rollout'), this.#tick()), times.tick);
    this.#timer.unref();
  }

  async #tick(): Promise<void> {
    try {
      await this.#step();
    } catch (error) {
      this.#options.log.error('failed to check rollout; will retry', { error });
    }
    this.#later();
  }

  async #step(): Promise<void> {
    const { change, reader } = this.#options;
    const { phase, stage } = this.#state;
    if (phase !== 'holding' && phase !== 'paused') return;
    const now = performance.now();
    const elapsed = now - this.#lookedAt;
    this.#lookedAt = now;
    if (reader.lost() > this.#lostBefore) return this.#withdraw('a worker exited during the rollout');
    const { cells, ...sides } = this.#sides();
    const isPaused = this.#pausedBy !== null;
    const held = isPaused ? this.#state.held : this.#state.held + elapsed;
    const hold = holdOf(change.plan, stage);
    const waitedBefore = this.#state.waited;
    const waited = waitedBefore + elapsed;
    this.#state = seen({ ...this.#state, held, waited }, sides);
    const { worse, lacking, isComplete } = judge({
      ...sides,
      held,
      hold,
      waited,
      waitedBefore,
      interval: times.compare,
      isPaused,
      isPassed: this.#passed === stage,
      wasComplete: this.#complete === stage,
      obstacle: null,
      expected: change.plan.expected ?? [],
      cells,
    });
    if (worse !== null) return this.#withdraw(worse);
    if (isComplete) this.#complete = stage;
    if (isComplete && now >= this.#retryAt) return this.#advance();
    if (!isPaused && held >= hold && lacking !== null) this.#wait(lacking, sides);
  }

  #sides(): SideCounts {
    const now = this.#options.reader.read();
    return {
      new: trafficSince(now.new, this.#before.new),
      old: trafficSince(now.old, this.#before.old),
      cells: now.cells.map((cell, i) => trafficSince(cell, this.#before.cells[i] ?? noTraffic)),
    };
  }

  #wait(lacking: 'new' | 'old', sides: Sides): void {
    const { plan } = this.#options.change;
    const { requests } = sides[lacking];
    const stage = formatStage(plan.stages[this.#state.stage]);
    const side = lacking === 'new' ? 'with' : 'without';
    const why = tooFewRequests(stage, requests, `${side} the change`);
    if (this.#state.phase === 'paused') this.#state = { ...this.#state, why };
    else this.#enter({ ...this.#state, phase: 'paused', why });
  }

  async #advance(): Promise<void> {
    const { reconciler, change, reader } = this.#options;
    const stage = this.#state.stage + 1;
    if (stage >= change.plan.stages.length) return this.#promote();
    await reconciler.shareCanary(change.id, shareOf(change.plan, stage));
    this.#before = reader.read();
    this.#enter(nextStep(this.#state, Date.now()));
  }

  async #promote(): Promise<void> {
    const before = this.#state;
    this.#enter(decidedTo(before, 'promoting', null, Date.now()));
    try {
      const { revision } = await this.#options.make();
      this.#enter({ ...this.#state, phase: 'promoted', revision });
    } catch (error) {
      if (isSluiceError(error) && error.code === 'ERR_UNCONFIRMED') {
        this.#retryAt = performance.now() + times.retry;
        this.#enter({ ...before, phase: 'paused', why: messageOf(error) });
        return;
      }
      await this.#withdraw(`the change could not be applied: ${messageOf(error)}`);
    }
  }

  /** Rolls back the change. The share of requests changes immediately. Ending the canary may have to wait for a change in progress. */
  async #withdraw(why: string): Promise<void> {
    const { reconciler, change, log } = this.#options;
    const { id } = change;
    const began = performance.now();
    this.#enter(decidedTo(this.#state, 'taken_back', why, Date.now()));
    await reconciler.shareCanary(id, 0);
    this.#state = { ...this.#state, reverted: performance.now() - began };
    try {
      await reconciler.endCanary(id);
    } catch (error) {
      log.error('failed to release the configuration of a rollout; requests no longer use it', { id, error });
    }
  }

  /** Called when another change has ended the canary. */
  #ended(reason: string): void {
    if (!isActive(this.#state)) return;
    this.#enter({ ...decidedTo(this.#state, 'taken_back', reason, Date.now()), reverted: 0 });
  }

  #enter(state: StepsState): void {
    this.#state = state;
    if (!isActive(state) && this.#timer !== null) clearTimeout(this.#timer);
    this.#options.onChange(state);
  }
}
