/** The rollouts in steps of a server, of which at most one is in progress. */
import type { Logger } from '@sluice/base';
import { trafficMeters, type SidesReader } from '@sluice/contracts';
import { canaryError, type ChangeResult, type Edit, type Reconciler } from '@sluice/reconciler';
import { token, type RunningServer, type Token } from '@sluice/registry';
import { eventHubToken } from '@sluice/telemetry';
import { rolloutEvents } from './events.ts';
import { formatStage, parsePlan, planError, type Plan } from '../plan.ts';
import { addTraffic } from '../traffic.ts';
import { StepRollout } from './rollout.ts';
import { isActive, noSides, type StepsState } from './state.ts';

/** A change to roll out. */
export interface StepsRequest {
  readonly id: string;
  readonly plan: string;
  readonly origin: string;
  readonly by: string | null;
  readonly edit: Edit;
  /** Runs the change as a dry run. */
  readonly rehearse: () => Promise<ChangeResult>;
  /** Makes the change and ends its canary. */
  readonly make: () => Promise<ChangeResult>;
  /** Called when the rollout has ended. */
  readonly onEnd?: (state: StepsState) => void;
}

export type RolloutOrder = 'pause' | 'resume' | 'abort' | 'promote';

export class StepRollouts {
  /** Numbers of rollouts that have ended. */
  readonly ended: Record<'promoted' | 'taken_back', number> = { promoted: 0, taken_back: 0 };
  readonly #log: Logger;
  #reconciler: Reconciler | null = null;
  #last: StepRollout | null = null;
  #isStarting = false;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Sets the reconciler. Called once, during setup. */
  serve(reconciler: Reconciler): void {
    this.#reconciler = reconciler;
  }

  /** The rollout in progress or the last one; `null` if there has been none. */
  get last(): StepsState | null {
    return this.#last?.state ?? null;
  }

  /** Starts a rollout. Resolves to `null` if the edit changes nothing. Repeating a request returns its rollout. */
  async begin(request: StepsRequest): Promise<StepsState | null> {
    const plan = stepsPlan(request.plan);
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

  /** Applies an operator's request to the rollout in progress. */
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

  /** Withdraws the rollout in progress, because this process ends. */
  async close(why: string): Promise<void> {
    await this.#last?.abort(why);
  }

  async #start(request: StepsRequest, plan: Plan): Promise<StepsState | null> {
    const reconciler = this.#reconciler;
    if (reconciler === null) throw canaryError('the server is starting');
    const { changed, operations } = await request.rehearse();
    if (!changed) return null;
    const { id, origin, by, edit } = request;
    const base = reconciler.revision;
    const rollout = new StepRollout({
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
    return rollout.state;
  }

  #changed(state: StepsState, { onEnd }: StepsRequest): void {
    const { change, phase, stage, why } = state;
    const about = { id: change.id, state: phase, stage: formatStage(change.plan.stages[stage]), why: why ?? '' };
    if (phase === 'taken_back') this.#log.warn('rollout was rolled back', about);
    else this.#log.info('rollout changed', about);
    void this.#reconciler?.service(eventHubToken)?.emitDeclared(rolloutEvents.changed, about);
    if (phase !== 'promoted' && phase !== 'taken_back') return;
    this.ended[phase]++;
    onEnd?.(state);
  }
}

/** Parses the plan of a rollout on one server. */
export function stepsPlan(text: string): Plan {
  const plan = parsePlan(text);
  if (plan.stages.every((stage) => 'percent' in stage)) return plan;
  throw planError(
    text,
    'canary:N counts members of a fleet, and first= refers to one, but this server is in none: use percentages',
  );
}

/** Returns a reader of the counters of all apps, with and without the canary. */
export async function sidesReader(reconciler: RunningServer): Promise<SidesReader> {
  const readers: SidesReader[] = [];
  for (const { loadSides } of reconciler.registry.contributions(trafficMeters).values())
    readers.push((await loadSides())(reconciler));
  return {
    read: () =>
      readers
        .map((reader) => reader.read())
        .reduce((sum, each) => ({ new: addTraffic(sum.new, each.new), old: addTraffic(sum.old, each.old) }), noSides),
    lost: () => Math.max(0, ...readers.map((reader) => reader.lost())),
  };
}

/** The rollouts in steps, a service of the control thread. */
export const stepRolloutsToken: Token<StepRollouts> = token<StepRollouts>('step_rollouts');
