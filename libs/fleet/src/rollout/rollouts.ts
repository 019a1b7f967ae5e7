/**
 * Rollouts from the perspective of one member. The member participates in rollouts, takes over coordination if necessary, and starts and
 * controls rollouts for clients.
 */
import { SluiceError, type Logger } from '@sluice/base';
import type { FleetRehearsal } from '@sluice/contracts';
import { applyOperations, diff, hashNode, type Reconciler } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import { pause } from '../member/decide.ts';
import { unavailableError, behindError, joiningError, keyError } from '../member/errors.ts';
import type { Member } from '../member/member.ts';
import { writeOrders } from '../member-list/orders.ts';
import { readMembers } from '../member-list/member-list.ts';
import type { Snapshot, StoreLease } from '../store.ts';
import type { MemberEnvironment } from '../environment.ts';
import { begin } from './advance.ts';
import { coordination, Coordinator } from './coordinator.ts';
import { keepChange } from './kept-change.ts';
import type { MakeReader } from './meter.ts';
import { Participant } from './participant.ts';
import { formatPlan } from '@sluice/rollout';
import { fleetPlan } from './fleet-plan.ts';
import { observe, type Observed, type RolloutReport } from './reports.ts';
import { encodeRollout, isActive, keys, type RolloutChange, type RolloutState } from './rollout.ts';

/** Age of the rollout state after which another member takes over coordination, in milliseconds. */
const silence = 3000;

/** Times in milliseconds: the maximum time for members to reach the base revision, and the polling interval. */
const timeout = 3000;
const pollInterval = 100;

/** Maximum number of attempts to apply a change while other members change the document. */
const maxAttempts = 5;

export interface RolloutsOptions {
  readonly reconciler: Reconciler;
  readonly member: Member;
  readonly instance: string;
  readonly environment: MemberEnvironment;
  readonly log: Logger;
  readonly makeReader: MakeReader;
  /** Throws if another member lacks a module that the change requires. */
  readonly check: (made: FleetRehearsal['modules']) => Promise<void>;
  /** Callback invoked when this member's report has changed. */
  readonly onReport: () => void;
}

export interface StartRequest {
  /** ID of the rollout and of the log entry that it will create. */
  readonly op: string;
  readonly by: string | null;
  readonly plan: string;
  /** Digest of the request, if the client chose the ID. */
  readonly request?: string;
}

export interface Rollout {
  readonly state: RolloutState;
  readonly change: RolloutChange | null;
}

/** Participates in rollouts, and coordinates and controls them. */
export class Rollouts {
  readonly ended: Record<'promoted' | 'taken_back', number> = { promoted: 0, taken_back: 0 };
  readonly #options: RolloutsOptions;
  readonly #participant: Participant;
  readonly #coordinator: Coordinator;
  #hasLeft = false;

  constructor(options: RolloutsOptions) {
    const { member, environment, log } = options;
    const { store, name, state } = member;
    this.#options = options;
    const onEnd = ({ phase }: RolloutState): void => {
      if (phase === 'promoted' || phase === 'taken_back') this.ended[phase]++;
    };
    this.#coordinator = new Coordinator({ store, name, environment, log, onEnd });
    this.#participant = new Participant({
      ...options,
      store,
      name,
      state,
      onLook: async (change, silentFor) => {
        if (silentFor >= silence) await this.#coordinator.take(change);
      },
    });
  }

  /** Rollout report of this member. `null` if there is no rollout. */
  get report(): RolloutReport | null {
    return this.#participant.report;
  }

  get last(): Rollout | null {
    const { state, change } = this.#participant;
    return state === null ? null : { state, change: change?.id === state.id ? change : null };
  }

  /** Rejects changes made on this member while a rollout is in progress. */
  attach(): void {
    this.#options.reconciler.hooks.proposed.tapPromise('fleet rollout', async ({ origin }) => {
      if (this.#hasLeft || origin.startsWith('fleet') || origin.startsWith('undo')) return;
      // A rollout may have started or ended since this member last checked.
      const now = await this.#participant.read().catch(() => this.#participant.state);
      if (isActive(now)) throw busyError(now);
    });
  }

  /** Ignores reconciler changes from now on. */
  leave(): void {
    this.#hasLeft = true;
  }

  start(): void {
    this.#participant.start();
  }

  async close(): Promise<void> {
    this.#participant.close();
    await this.#coordinator.close();
  }

  async read(): Promise<Rollout | null> {
    await this.#participant.read();
    return this.last;
  }

  /**
   * Starts a rollout of an edit, which `tryOut` applies to the current document. Resolves to `null` if the edit changes nothing.
   *
   * If the operation already has a rollout, returns that rollout.
   */
  async begin(wanted: StartRequest, tryOut: () => Promise<FleetRehearsal>): Promise<Rollout | null> {
    const plan = fleetPlan(wanted.plan);
    const known = await this.#lastIfOver(wanted.op);
    if (known?.state.id === wanted.op) return sameRequest(known, wanted);
    const { member } = this.#options;
    const lease = await member.store.lease(coordination.lease, member.name, coordination.seconds);
    if (lease === null) throw busyError(null);
    let isTaken = false;
    try {
      // Another member may have started a rollout and released the lease since this member last checked.
      const last = await this.#lastIfOver(wanted.op);
      if (last?.state.id === wanted.op) return sameRequest(last, wanted);
      const { place, operations } = await this.#tryOut(tryOut);
      if (operations.length === 0) return null;
      const change = this.#changeOf(wanted, place, operations, plan);
      await this.#write(lease, change, last?.state ?? null);
      isTaken = true;
      this.#coordinator.run(lease, change);
    } finally {
      if (!isTaken) await lease.release();
    }
    return this.read();
  }

  /**
   * Returns the last rollout if it is complete or has this operation ID. Throws an error with status 409 if another rollout is in progress.
   */
  async #lastIfOver(op: string): Promise<Rollout | null> {
    const last = await this.read();
    if (last !== null && last.state.id !== op && isActive(last.state)) throw busyError(last.state);
    return last;
  }

  async pause(by: string): Promise<Rollout> {
    return this.#order(({ id }) => [{ key: `${keys.orders(id)}pause`, value: by }]);
  }

  /** Resumes a paused rollout. If the rollout is waiting for more requests, continues without them. */
  async resume(by: string): Promise<Rollout> {
    return this.#order(({ id, phase, stage, why }) => {
      const key = `${keys.orders(id)}pause`;
      const waits = phase === 'paused' && why?.startsWith('paused by') === false;
      return waits ? [{ key: `${keys.orders(id)}pass/${stage}`, value: by }] : [{ key, value: null }];
    });
  }

  /** Aborts the rollout and rolls it back. */
  async abort(by: string): Promise<Rollout> {
    return this.#order(({ id }) => [{ key: `${keys.orders(id)}abort`, value: by }]);
  }

  async #order(
    writesOf: (state: RolloutState) => readonly { readonly key: string; readonly value: string | null }[],
  ): Promise<Rollout> {
    const known = await this.read();
    if (!isActive(known?.state ?? null) || known === null)
      throw new SluiceError('ERR_FLEET_ROLLOUT', 'no rollout is in progress', { status: 409 });
    const { member, environment } = this.#options;
    await writeOrders({ store: member.store, name: member.name, id: environment.id() }, writesOf(known.state));
    return known;
  }

  /** Applies an edit to the document at a log position, as a test. Retries if other members change the document in the meantime. */
  async #tryOut(tryOut: () => Promise<FleetRehearsal>): Promise<Made> {
    const { member, check } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const place = this.#place();
      const { operations, modules } = await tryOut();
      await check(modules);
      if (member.place?.head.hash === place.head.hash) return { place, operations };
      if (attempt === maxAttempts) throw behindError(place.head.rev, 'other members are changing the rollout');
    }
  }

  /** Returns this member's log position. Throws if the member is not up to date. */
  #place(): Snapshot {
    const { member, reconciler } = this.#options;
    const { rejected, outage, since } = member.state;
    const { place } = member;
    if (rejected !== null) throw behindError(rejected.rev, rejected.message);
    if (place === null) throw outage === null ? joiningError(since) : unavailableError(outage.since, null);
    if (reconciler.unconfirmed !== null) {
      const message = `revision ${reconciler.unconfirmed.revision} awaits confirmation; confirm it first`;
      throw new SluiceError('ERR_FLEET_ROLLOUT', message, { status: 409 });
    }
    return place;
  }

  #changeOf(
    { op: id, by, request }: StartRequest,
    { head: base, document }: Snapshot,
    operations: readonly PatchOperation[],
    plan: RolloutChange['plan'],
  ): RolloutChange {
    const { member, environment } = this.#options;
    return {
      id,
      base,
      from: hashNode(document),
      patch: operations.map((operation) => ({ ...operation })),
      inverse: diff(applyOperations(document, operations), document),
      who: by === null ? member.name : `${member.name} ${by}`,
      when: environment.now(),
      plan,
      ...(request === undefined ? {} : { request }),
    };
  }

  /** Waits until all members have reached the base revision, or until a timeout. Returns the members. */
  async #members({ base }: RolloutChange): Promise<readonly Observed[]> {
    const { member, environment } = this.#options;
    const deadline = environment.now() + timeout;
    for (;;) {
      const members = observe(await readMembers(member.store), base.rev);
      if (environment.now() >= deadline || members.every(({ isFit }) => isFit)) return members;
      await pause(pollInterval, environment);
    }
  }

  async #write(lease: StoreLease, change: RolloutChange, last: RolloutState | null): Promise<void> {
    const { member } = this.#options;
    const state = begin(change, member.name, await this.#members(change));
    if (state === null) {
      const message = `${formatPlan(change.plan)}: the first stage must leave at least one ready member without the change for comparison`;
      throw new SluiceError('ERR_FLEET_ROLLOUT', message, { status: 409 });
    }
    const kept = await keepChange(member.store, lease, change, last?.id ?? null);
    const old = last === null ? [] : [...(await member.store.values(keys.orders(last.id))).keys()];
    const isHeld =
      kept !== null &&
      (await member.store.transaction(lease, [
        ...old.map((key) => ({ key, value: null })),
        ...kept,
        { key: keys.state, value: encodeRollout(state) },
      ]));
    if (!isHeld) throw unavailableError(this.#options.environment.now(), null);
  }
}

/** A tested edit. */
interface Made {
  readonly place: Snapshot;
  readonly operations: readonly PatchOperation[];
}

/** Throws if the idempotency key was used for a rollout of a different change. */
function sameRequest(rollout: Rollout, { op, request }: StartRequest): Rollout {
  const known = rollout.change?.request;
  if (known !== undefined && request !== undefined && known !== request) throw keyError(op, null);
  return rollout;
}

function busyError(state: RolloutState | null): SluiceError {
  const which = state === null ? 'a rollout' : `rollout ${state.id}`;
  const message = `${which} is in progress; wait until it completes, or call POST /fleet/rollout/abort`;
  return new SluiceError('ERR_FLEET_ROLLOUT', message, { status: 409 });
}
