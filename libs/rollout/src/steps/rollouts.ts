/** Gradual rollouts of a server. At most one rollout is in progress. */
import type { Logger } from '@sluice/base';
import { canaryError, isPersisted, type ChangeResult, type Edit, type Reconciler } from '@sluice/reconciler';
import { token, type Token } from '@sluice/registry';
import { eventHubToken, metricsToken } from '@sluice/telemetry';
import { rolloutEvents } from './events.ts';
import { collectRollouts } from './metrics.ts';
import { formatStage, parsePlan, planError, type Plan } from '../plan.ts';
import type { StepRollout } from './rollout.ts';
import { aborted, isActive, type StepsState } from './state.ts';

/** Request to roll out a change. */
export interface StepsRequest {
  readonly id: string;
  readonly plan: string;
  readonly origin: string;
  readonly by: string | null;
  readonly edit: Edit;
  /** Performs a dry run of the change. */
  readonly rehearse: () => Promise<ChangeResult>;
  /** Applies the change and ends its canary. */
  readonly make: () => Promise<ChangeResult>;
  /** Called when the rollout has ended. */
  readonly onEnd?: (state: StepsState) => void;
}

/** Preserves the last rollout across restarts. Its methods never reject: they log errors. */
export interface RolloutStore {
  read(): Promise<StepsState | null>;
  save(state: StepsState): Promise<void>;
}

export const rolloutOrders = ['pause', 'resume', 'abort', 'promote'] as const;

export type RolloutOrder = (typeof rolloutOrders)[number];

export class StepRollouts {
  readonly ended: Record<'promoted' | 'taken_back', number> = { promoted: 0, taken_back: 0 };
  readonly #log: Logger;
  readonly #store: RolloutStore | null;
  #reconciler: Reconciler | null = null;
  #last: StepRollout | null = null;
  /** Last rollout of the previous process. */
  #restored: StepsState | null = null;
  #restoring: Promise<void> = Promise.resolve();
  #saving: Promise<void> = Promise.resolve();
  #isStarting = false;

  constructor(log: Logger, store: RolloutStore | null = null) {
    this.#log = log;
    this.#store = store;
  }

  /** Sets the reconciler, adds the metrics, and reads the last rollout of the previous process. Called once, during setup. */
  serve(reconciler: Reconciler): void {
    this.#reconciler = reconciler;
    const metrics = reconciler.service(metricsToken);
    if (metrics !== undefined) collectRollouts(metrics, this);
    if (this.#store !== null) this.#restoring = this.#restore(this.#store);
  }

  /** Resolves when the last rollout of the previous process has been read. */
  opened(): Promise<void> {
    return this.#restoring;
  }

  /** The rollout in progress, or else the last rollout; `null` if there has been none. */
  get last(): StepsState | null {
    return this.#last?.state ?? this.#restored;
  }

  /**
   * Starts a rollout. Resolves to `null` if the edit changes nothing. A repeated request returns the rollout that the original request
   * started.
   */
  async begin(request: StepsRequest): Promise<StepsState | null> {
    const plan = stepsPlan(request.plan);
    await this.opened();
    const { last } = this;
    if (last?.change.id === request.id) return last;
    if (isActive(last) || this.#isStarting)
      throw canaryError('a rollout is in progress; wait until it completes, or call POST /rollout/abort');
    this.#isStarting = true;
    try {
      return await this.#start(request, plan);
    } finally {
      this.#isStarting = false;
    }
  }

  /** Applies an operator's command to the rollout in progress. */
  async order(what: RolloutOrder, by: string): Promise<StepsState> {
    const rollout = this.#last;
    if (rollout === null || !isActive(rollout.state) || rollout.state.phase === 'promoting')
      throw canaryError('no rollout is in progress');
    this.#log.info('rollout order received', { id: rollout.state.change.id, order: what, by });
    if (what === 'pause') rollout.pause(by);
    else if (what === 'resume') rollout.resume();
    else if (what === 'promote') await rollout.promote();
    else await rollout.abort(`aborted by ${by}`);
    return rollout.state;
  }

  /** Rolls back the rollout in progress, because this process is about to exit. */
  async close(why: string): Promise<void> {
    await this.#last?.abort(why);
    await this.#saving;
  }

  /**
   * Reads the last rollout. If that rollout was still in progress, it ended when its process exited, because the new process serves the
   * saved configuration.
   */
  async #restore(store: RolloutStore): Promise<void> {
    const saved = await store.read();
    this.#restored = isActive(saved) ? aborted(saved, Date.now()) : saved;
    if (this.#restored === saved || this.#restored === null) return;
    const { change, stage, why } = this.#restored;
    const about = { id: change.id, origin: change.origin, by: change.by ?? '' };
    this.#log.warn('rollout was rolled back', {
      ...about,
      stage: formatStage(change.plan.stages[stage]),
      why: why ?? '',
    });
    await store.save(this.#restored);
  }

  /** Saves a state. Does nothing if the configuration must not be saved, because the state contains parts of the configuration. */
  #save(state: StepsState): void {
    const [store, reconciler] = [this.#store, this.#reconciler];
    if (store === null || reconciler === null || !isPersisted(reconciler.document)) return;
    this.#saving = this.#saving.then(() => store.save(state));
  }

  async #start(request: StepsRequest, plan: Plan): Promise<StepsState | null> {
    const reconciler = this.#reconciler;
    if (reconciler === null) throw canaryError('the server is still starting; retry later');
    const { changed, operations } = await request.rehearse();
    if (!changed) return null;
    const [{ StepRollout: Started }, { sidesReader }] = await Promise.all([
      import('./rollout.ts'),
      import('./sides-reader.ts'),
    ]);
    const { id, origin, by, edit } = request;
    const base = reconciler.revision;
    const rollout = new Started({
      reconciler,
      change: { id, plan, origin, by, when: Date.now(), base, patch: operations },
      edit,
      make: async () => ({ result: await request.make(), revision: reconciler.revision }),
      reader: await sidesReader(reconciler),
      log: this.#log,
      onChange: (state) => this.#changed(state, request),
    });
    await rollout.start();
    this.#last = rollout;
    // Wait for the state to be saved, because a crash after the response must not lose the rollout.
    await this.#saving;
    return rollout.state;
  }

  #changed(state: StepsState, { onEnd }: StepsRequest): void {
    const { change, phase, stage, why } = state;
    const about = { id: change.id, state: phase, stage: formatStage(change.plan.stages[stage]), why: why ?? '' };
    if (phase === 'taken_back') this.#log.warn('rollout was rolled back', about);
    else this.#log.info('rollout changed', about);
    this.#save(state);
    void this.#reconciler?.service(eventHubToken)?.emitDeclared(rolloutEvents.changed, about);
    if (phase !== 'promoted' && phase !== 'taken_back') return;
    this.ended[phase]++;
    onEnd?.(state);
  }
}

/** Parses the plan of a gradual rollout on one server. */
export function stepsPlan(text: string): Plan {
  const plan = parsePlan(text);
  if (plan.stages.every((stage) => 'percent' in stage)) return plan;
  throw planError(
    text,
    'canary:N sets a number of fleet members, and first= applies to the first member, but this server is not in a fleet; use percentages',
  );
}

/** Service token for the gradual rollouts in the control thread. */
export const stepRolloutsToken: Token<StepRollouts> = token<StepRollouts>('step_rollouts');
