/** A server's membership of a fleet: its member, its presence, and what the admin API asks of both. */
import { pathError, SluiceError, type Json, type JsonObject, type Logger } from '@sluice/base';
import type { FleetMembership, FleetReach, FleetReport, FleetScope, RolloutRequest } from '@sluice/contracts';
import {
  applyOperations,
  hashNode,
  shareSubtrees,
  type ChangeOptions,
  type ChangeResult,
  type DocumentView,
  type Engine,
} from '@sluice/engine';
import { metricsToken } from '@sluice/telemetry';
import type { PatchOperation } from '@sluice/registry';
import type { Entry, Head } from '../entry.ts';
import { operationsOf } from '../member/known-log.ts';
import { Member } from '../member/member.ts';
import type { FleetStore, Snapshot } from '../store.ts';
import { systemSurroundings } from '../surroundings.ts';
import { makeReader } from '../rollout/make-reader.ts';
import { encodeReport } from '../rollout/reports.ts';
import { Rollouts } from '../rollout/rollouts.ts';
import { shownRollout } from '../rollout/shown.ts';
import { collectMember } from './metrics.ts';
import { writeOrders } from '../roll/orders.ts';
import { Presence } from './presence.ts';
import { readRoll, reportOf, type RollEntry } from '../roll/roll.ts';

/** How often members are looked at while a client waits, in milliseconds. */
const lookPause = 50;

/** How much of the history is shown. */
const shownEntries = 100;

/** What a membership is made of. */
export interface MembershipOptions {
  readonly engine: Engine;
  readonly store: FleetStore;
  readonly cluster: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly version: string;
  readonly log: Logger;
  /** Keeps where in the log the document in force is. */
  readonly keep: (place: Snapshot) => Promise<void>;
  /** What this machine makes of the document. */
  readonly view: DocumentView;
}

/** The membership of a server that runs. */
export class Membership implements FleetMembership {
  readonly name: string;
  readonly cluster: string;
  readonly #engine: Engine;
  readonly #store: FleetStore;
  readonly #member: Member;
  readonly #presence: Presence;
  /** What is tried out before it is in the log. */
  readonly rollouts: Rollouts;
  readonly #ends: (() => void)[] = [];

  constructor({ engine, store, cluster, name, labels, version, log, keep, view }: MembershipOptions) {
    const surroundings = systemSurroundings;
    this.name = name;
    this.cluster = cluster;
    this.#engine = engine;
    this.#store = store;
    this.#member = new Member({ engine, store, name, surroundings, log, keep });
    const instance = surroundings.id();
    const about = { labels, version, started: new Date().toISOString(), instance };
    this.rollouts = new Rollouts({
      engine,
      member: this.#member,
      instance,
      surroundings,
      log,
      makeReader: makeReader(view),
      onReport: () => this.#presence.changed(),
    });
    this.#presence = new Presence({ store, name, about, state: () => this.#status(), surroundings, log });
  }

  /** Has the fleet decide on changes from now on; see `Member.attach`. */
  attach(first: string | null): void {
    this.#member.attach(first);
    this.rollouts.attach();
  }

  /** Joins; see `Member.start`. */
  start(head: Head | null, seen: Head | null = null): void {
    const { state } = this.#member;
    const metrics = this.#engine.service(metricsToken);
    if (metrics !== undefined)
      this.#ends.push(collectMember(metrics, { state, place: () => this.#member.place, rollouts: this.rollouts }));
    this.#ends.push(state.onChange(() => this.#presence.changed()));
    this.#member.start(head, seen);
    this.#presence.start();
    this.rollouts.start();
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.rollouts.close();
    await this.#presence.close();
    await this.#member.close();
    await this.#store.close();
  }

  get revision(): number {
    return this.#member.revision;
  }

  /** Whether the member has the document of the fleet, and serves new clients. */
  get isReady(): boolean {
    return this.#engine.document !== null && !this.#presence.isDrained && this.#member.place !== null;
  }

  revisionOf(op: string): number | null {
    return this.#member.revisionOf(op);
  }

  find(op: string): Promise<number | null> {
    return this.#store.find(op);
  }

  waitFor(revision: number, milliseconds: number): Promise<boolean> {
    return this.#member.state.waitFor(revision, milliseconds);
  }

  async rollOut({ tryOut, ...wanted }: RolloutRequest): Promise<JsonObject | null> {
    const rollout = await this.rollouts.begin(wanted, tryOut);
    return rollout === null ? null : shownRollout(rollout);
  }

  async reach(revision: number, scope: FleetScope, milliseconds: number): Promise<FleetReach> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const roll = await readRoll(this.#store);
      const reports = new Map(roll.map((entry): [string, FleetReport] => [entry.name, reportOf(entry, revision)]));
      // Of itself a member knows more than the store was told yet.
      if (this.revision >= revision) reports.set(this.name, { state: 'applied' });
      const members = Object.fromEntries(reports);
      if (isReached([...reports.values()], scope)) return { reached: true, members };
      if (performance.now() >= deadline) return { reached: false, members };
      await new Promise((resolve) => void setTimeout(resolve, lookPause));
    }
  }

  /** What this member is, with what it knows of the others. */
  async describe(): Promise<JsonObject> {
    const { capabilities } = this.#store;
    const head = this.#member.place?.head ?? null;
    const roll = await readRoll(this.#store).catch(() => null);
    const rollout = await this.rollouts.read().catch(() => this.rollouts.last);
    return {
      cluster: this.cluster,
      member: this.name,
      lineage: head?.lineage ?? null,
      revision: head?.rev ?? 0,
      hash: head?.hash ?? null,
      store: { ...capabilities },
      ...this.#status(),
      members: roll === null ? null : roll.map(shownMember),
      ...(rollout === null ? {} : { rollout: shownRollout(rollout) }),
    };
  }

  /** The last changes of the fleet before a revision, newest first. */
  async history(before: number = Number.POSITIVE_INFINITY): Promise<readonly Entry[]> {
    const last = Math.min(this.#member.place?.head.rev ?? 0, before - 1);
    for (let from = Math.max(1, last - shownEntries + 1); from <= last; from += Math.ceil((last - from + 1) / 2)) {
      const entries = await this.#store.log(from, last);
      if (entries !== null) return entries.toReversed();
    }
    return [];
  }

  /** The document as of a revision, and its entry; an error of status 404 if the log does not have it any more. */
  async at(revision: number): Promise<{ readonly entry: Entry; readonly document: Json }> {
    const place = this.#member.place;
    const entries =
      place === null || revision > place.head.rev ? null : await this.#store.log(revision, place.head.rev);
    const entry = entries?.[0];
    if (place === null || entries === null || entry?.rev !== revision)
      throw pathError(`revision ${revision} is not in the log of the fleet: it keeps the last ones`, 404);
    let { document } = place;
    for (const { inverse } of entries.slice(1).toReversed()) document = applyOperations(document, undoOf(inverse));
    return { entry, document };
  }

  /** Goes back to a revision, as a change like others. */
  async rollBack(revision: number, options: ChangeOptions): Promise<ChangeResult> {
    const { document } = await this.at(revision);
    return this.#engine.change((current) => shareSubtrees(current, document), options);
  }

  /** Confirms the change that waits for it; an error of status 409 if none does. */
  async confirm(): Promise<void> {
    const { unconfirmed } = this.#engine;
    if (unconfirmed === null)
      throw new SluiceError('ERR_UNCONFIRMED', 'no change of the fleet waits for a confirmation', { status: 409 });
    await this.#engine.confirm(unconfirmed.revision);
  }

  adopt(): Promise<void> {
    return this.#member.adopt();
  }

  retry(): Promise<void> {
    return this.#member.retry();
  }

  /** Has a member serve no new clients, or serve them again. */
  async drain(name: string, on: boolean): Promise<void> {
    const roll = await readRoll(this.#store);
    if (on && !roll.some((entry) => entry.name === name))
      throw pathError(`the fleet has no member ${JSON.stringify(name)}`, 404);
    const writer = { store: this.#store, name: this.name, id: systemSurroundings.id() };
    await writeOrders(writer, [{ key: `drain/${name}`, value: on ? 'yes' : null }]);
  }

  #status(): JsonObject {
    const { applied, rejected, fork, away, conflicts, resyncs, forks } = this.#member.state;
    return {
      known: this.#member.place?.head.rev ?? 0,
      applied: applied?.rev ?? 0,
      document: hashNode(this.#engine.document),
      ready: this.isReady,
      ...(rejected === null ? {} : { rejected: { ...rejected } }),
      ...(fork === null
        ? {}
        : {
            forked: {
              since: timeOf(fork.since),
              reason: fork.reason,
              ours: fork.ours?.rev ?? 0,
              theirs: fork.theirs?.rev ?? 0,
            },
          }),
      ...(away === null ? {} : { store_away: { since: timeOf(away.since), reason: away.reason } }),
      ...(this.#presence.isTaken ? { name_taken: true } : {}),
      ...(this.rollouts.report === null ? {} : { rollout: encodeReport(this.rollouts.report) }),
      conflicts,
      forks,
      resyncs: { ...resyncs },
    };
  }
}

function shownMember({ name, about, status, isDrained }: RollEntry): JsonObject {
  return { name, ...about, ...status, ...(isDrained ? { drained: true } : {}) };
}

function isReached(reports: readonly FleetReport[], scope: FleetScope): boolean {
  const applied = reports.filter(({ state }) => state === 'applied').length;
  if (scope === 'all') return applied === reports.length;
  return scope === 'majority' ? applied * 2 > reports.length : applied > 0;
}

function undoOf(inverse: Entry['inverse']): readonly PatchOperation[] {
  return operationsOf({ patch: inverse });
}

/** As responses show times. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
