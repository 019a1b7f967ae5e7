/**
 * Coordinates a rollout. Writes its state under a lease with a fencing token, and commits the change to the log at the end. The next owner
 * of the lease continues where the previous owner stopped. A coordinator that has lost its lease cannot write.
 */
import { messageOf, taskOf, unawaited, type Logger } from '@sluice/base';
import { entryAfter, sameHead } from '../entry.ts';
import { decide } from '../member/decide.ts';
import { MadeBefore, Overtaken } from '../member/errors.ts';
import { readMembers } from '../member-list/member-list.ts';
import type { FleetStore, StoreLease } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import { advance, rolledBack, type Orders } from './advance.ts';
import { observe } from './reports.ts';
import { decodeState, encodeRollout, isActive, keys, type RolloutChange, type RolloutState } from './rollout.ts';

/** Coordinator lease: its name, its duration in seconds, and the interval between decisions in milliseconds. */
export const coordination = { lease: 'rollout', seconds: 5, tick: 1000 };

export interface CoordinatorOptions {
  readonly store: FleetStore;
  readonly name: string;
  readonly environment: MemberEnvironment;
  readonly log: Logger;
  /** Callback invoked when a rollout has finished. */
  readonly onEnd: (state: RolloutState) => void;
}

/** Coordinates rollouts, at most one at a time. */
export class Coordinator {
  readonly #options: CoordinatorOptions;
  #lease: StoreLease | null = null;
  #lookedAt = 0;
  #closed = false;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
  }

  /** True while this member coordinates a rollout. */
  get isBusy(): boolean {
    return this.#lease !== null;
  }

  /** Coordinates a rollout under a lease that was already acquired. */
  run(lease: StoreLease, change: RolloutChange): void {
    this.#lease = lease;
    this.#lookedAt = this.#options.environment.now();
    this.#later(lease, change);
  }

  /** Tries to take over a rollout that has no coordinator. */
  async take(change: RolloutChange): Promise<void> {
    const { store, name, log } = this.#options;
    if (this.isBusy || this.#closed) return;
    const lease = await store.lease(coordination.lease, name, coordination.seconds);
    if (lease === null) return;
    log.info('took over rollout', { id: change.id });
    this.run(lease, change);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#lease?.release();
  }

  #later(lease: StoreLease, change: RolloutChange): void {
    this.#options.environment.after(coordination.tick, () =>
      unawaited(taskOf('sluice.fleet'), this.#tick(lease, change)),
    );
  }

  async #tick(lease: StoreLease, change: RolloutChange): Promise<void> {
    let goesOn = !this.#closed && !lease.lost.aborted;
    try {
      goesOn &&= await this.#step(lease, change);
    } catch (error) {
      this.#options.log.debug('failed to check rollout', { error: messageOf(error) });
    }
    if (goesOn) {
      this.#later(lease, change);
      return;
    }
    this.#lease = null;
    await lease.release();
  }

  /** Reads all inputs and writes the resulting state. Resolves to false if this member no longer coordinates the rollout. */
  async #step(lease: StoreLease, change: RolloutChange): Promise<boolean> {
    const { store, environment } = this.#options;
    const [states, orders, memberList, head] = await Promise.all([
      store.values(keys.state),
      store.values(keys.orders(change.id)),
      readMembers(store),
      store.head(),
    ]);
    const text = states.get(keys.state);
    const state = text === undefined ? null : decodeState(text);
    if (!isActive(state) || state.id !== change.id) return false;
    const now = environment.now();
    const next = advance(change, state, {
      members: observe(memberList, change.base.rev),
      orders: ordersOf(orders, change.id),
      isAtBase: sameHead(head, change.base),
      elapsed: now - this.#lookedAt,
      now,
    });
    this.#lookedAt = now;
    // This write commits the decision. After this point, no coordinator rolls back.
    if (!(await this.#write(lease, next))) return false;
    return next.phase !== 'promoting' || this.#write(lease, await this.#promote(change, next));
  }

  /** Commits the change to the log. Retries after errors. */
  async #promote(change: RolloutChange, state: RolloutState): Promise<RolloutState> {
    const { store, environment } = this.#options;
    const { id: op, base, who, patch, inverse, request } = change;
    const digest = request === undefined ? {} : { request };
    const entry = entryAfter(base, {
      op,
      who,
      when: state.decided ?? change.when,
      patch,
      inverse,
      requires: [],
      ...digest,
    });
    try {
      await decide(store, { base, lineage: base.lineage, entry }, environment);
      return { ...state, phase: 'promoted', revision: entry.rev };
    } catch (error) {
      if (error instanceof MadeBefore) return { ...state, phase: 'promoted', revision: error.rev };
      if (error instanceof Overtaken)
        return rolledBack(state, 'the configuration was changed during the rollout', environment.now());
      throw error;
    }
  }

  /** Writes a rollout state if the lease is still held. Resolves to true if this member continues to coordinate the rollout. */
  async #write(lease: StoreLease, state: RolloutState): Promise<boolean> {
    const { store, name, onEnd, log } = this.#options;
    const written = { ...state, beat: state.beat + 1, coordinator: name };
    const isHeld = await store.transaction(lease, [{ key: keys.state, value: encodeRollout(written) }]);
    if (!isHeld || isActive(written)) return isHeld;
    log.info('rollout completed', { id: state.id, outcome: state.phase, why: state.why });
    onEnd(written);
    return false;
  }
}

function ordersOf(values: ReadonlyMap<string, string>, id: string): Orders {
  const prefix = keys.orders(id);
  const passed = [...values.keys()].flatMap((key) =>
    key.startsWith(`${prefix}pass/`) ? [Number(key.slice(prefix.length + 5))] : [],
  );
  return {
    abort: values.get(`${prefix}abort`) ?? null,
    pause: values.get(`${prefix}pause`) ?? null,
    passed: new Set(passed),
  };
}
