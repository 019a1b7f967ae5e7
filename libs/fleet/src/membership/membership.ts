/** Fleet membership of a server. Combines the member, its presence, and the admin API operations. */
import { hostname } from 'node:os';
import { pathError, SluiceError, type Json, type JsonObject, type Logger } from '@sluice/base';
import type {
  FleetMembership,
  FleetReach,
  FleetReport,
  FleetScope,
  FleetRehearsal,
  RehearsedMember,
  RolloutRequest,
} from '@sluice/contracts';
import {
  applyOperations,
  shareSubtrees,
  type ChangeOptions,
  type ChangeResult,
  type DocumentView,
  type Reconciler,
} from '@sluice/reconciler';
import { metricsToken } from '@sluice/telemetry';
import type { MadeModule } from '@sluice/registry';
import type { Entry, Head } from '../entry.ts';
import { operationsOf } from '../member/known-log.ts';
import type { Adoption } from '../member/adoption.ts';
import { Member } from '../member/member.ts';
import type { FleetStore, Snapshot } from '../store.ts';
import { systemEnvironment } from '../environment.ts';
import { ModuleCheck } from '../modules/module-check.ts';
import { modulesOf } from '../modules/module-list.ts';
import { Rehearsals } from '../modules/rehearsals.ts';
import { makeReader } from '../rollout/make-reader.ts';
import { Rollouts } from '../rollout/rollouts.ts';
import { shownRollout } from '../rollout/shown.ts';
import { findRequest } from './find-request.ts';
import { collectMember } from './metrics.ts';
import { writeOrders } from '../member-list/orders.ts';
import { Presence } from './presence.ts';
import { shownMember, withinTimeout, statusOf, timeOf } from './shown.ts';
import { isReached } from '../member-list/reached.ts';
import { readMembers, readMemberList, reportOf, type MemberList } from '../member-list/member-list.ts';

/** Interval for polling members while a client waits, in milliseconds. */
const pollInterval = 50;

const shownEntries = 100;

export interface MembershipOptions {
  readonly reconciler: Reconciler;
  readonly store: FleetStore;
  readonly cluster: string;
  readonly name: string;
  readonly labels: readonly string[];
  readonly version: string;
  readonly log: Logger;
  /** Persists the log position of the active document. */
  readonly keep: (place: Snapshot) => Promise<void>;
  /** Applies this machine's overlay to the shared document. */
  readonly view: DocumentView;
}

export class Membership implements FleetMembership {
  readonly name: string;
  readonly cluster: string;
  readonly #reconciler: Reconciler;
  readonly #store: FleetStore;
  readonly #member: Member;
  readonly #presence: Presence;
  /** Checks whether other members lack a module that a change requires. */
  readonly modules: ModuleCheck;
  readonly #rehearsals: Rehearsals;
  readonly rollouts: Rollouts;
  readonly #ends: (() => void)[] = [];
  #lastMemberList: { readonly memberList: MemberList; readonly at: number } | null = null;

  constructor({ reconciler, store, cluster, name, labels, version, log, keep, view }: MembershipOptions) {
    const environment = systemEnvironment;
    this.name = name;
    this.cluster = cluster;
    this.#reconciler = reconciler;
    this.#store = store;
    this.modules = new ModuleCheck({ store, name, modules: modulesOf(reconciler.registry), environment, log });
    const check = (made: readonly MadeModule[]): Promise<void> => this.modules.check(made);
    this.#rehearsals = new Rehearsals({ reconciler, store, name, modules: this.modules, environment, log });
    this.#member = new Member({ reconciler, store, name, environment, log, keep, check });
    const instance = environment.id();
    const about = {
      host: hostname(),
      labels,
      version,
      started: new Date().toISOString(),
      instance,
      modules: this.modules.hash,
    };
    this.rollouts = new Rollouts({
      reconciler,
      member: this.#member,
      instance,
      environment,
      log,
      makeReader: makeReader(view),
      check,
      onReport: () => this.#presence.changed(),
    });
    this.#presence = new Presence({
      store,
      name,
      instance,
      about,
      state: () => this.#status(),
      environment,
      log,
      before: () => this.modules.publish(),
    });
  }

  attach(first: string | null): void {
    this.#member.attach(first);
    this.rollouts.attach();
  }

  start(head: Head | null, seen: Head | null = null): void {
    const { state } = this.#member;
    const metrics = this.#reconciler.service(metricsToken);
    if (metrics !== undefined)
      this.#ends.push(collectMember(metrics, { state, place: () => this.#member.place, rollouts: this.rollouts }));
    this.#ends.push(state.onChange(() => this.#presence.changed()));
    this.#member.start(head, seen);
    this.#presence.start();
    this.rollouts.start();
    this.#rehearsals.start();
  }

  /** Records a store failure that another part of the member has detected. */
  loseStore(error: unknown): void {
    this.#member.state.lose(error);
  }

  /** Ignores reconciler changes from now on. Call `close` afterwards. */
  leave(): void {
    this.#member.leave();
    this.rollouts.leave();
  }

  async close(): Promise<void> {
    for (const end of this.#ends) end();
    await this.rollouts.close();
    this.#rehearsals.close();
    await this.#presence.close();
    await this.#member.close();
    await this.#store.close();
  }

  get revision(): number {
    return this.#member.revision;
  }

  /** Last known revision and its document. `null` until the member has joined the fleet. */
  get place(): Snapshot | null {
    return this.#member.place;
  }

  /** True if the member has activated a fleet document and serves new clients. */
  get isReady(): boolean {
    return this.#reconciler.document !== null && !this.#presence.isDrained && this.#member.state.applied !== null;
  }

  revisionOf(op: string): number | null {
    return this.#member.revisionOf(op);
  }

  find(op: string, request?: string): Promise<number | null> {
    return findRequest(this.#store, this.rollouts, op, request);
  }

  waitFor(revision: number, milliseconds: number): Promise<boolean> {
    return this.#member.state.waitFor(revision, milliseconds);
  }

  rehearse(change: FleetRehearsal): Promise<Readonly<Record<string, RehearsedMember>>> {
    return this.#rehearsals.ask(change);
  }

  async rollOut({ tryOut, ...wanted }: RolloutRequest): Promise<JsonObject | null> {
    const rollout = await this.rollouts.begin(wanted, tryOut);
    return rollout === null ? null : shownRollout(rollout);
  }

  async reach(revision: number, scope: FleetScope, milliseconds: number): Promise<FleetReach> {
    const deadline = performance.now() + milliseconds;
    for (;;) {
      const memberList = await readMembers(this.#store);
      const reports = new Map(
        memberList.map((entry): [string, FleetReport] => [entry.name, reportOf(entry, revision)]),
      );
      // The local state is more recent than the state that this member last reported.
      if (this.revision >= revision) reports.set(this.name, { state: 'applied' });
      const members = Object.fromEntries(reports);
      if (isReached([...reports.values()], scope)) return { reached: true, members };
      if (performance.now() >= deadline) return { reached: false, members };
      await new Promise((resolve) => void setTimeout(resolve, pollInterval));
    }
  }

  /** Describes this member and the information it has about other members. */
  async describe(): Promise<JsonObject> {
    const { capabilities } = this.#store;
    const head = this.#member.place?.head ?? null;
    const [memberList, rollout] = await Promise.all([
      withinTimeout(readMemberList(this.#store)),
      withinTimeout(this.rollouts.read()).then((read) => read ?? this.rollouts.last),
    ]);
    if (memberList !== null) this.#lastMemberList = { memberList, at: Date.now() };
    const { members = null, unreadable = [] } = this.#lastMemberList?.memberList ?? {};
    return {
      cluster: this.cluster,
      member: this.name,
      lineage: head?.lineage ?? null,
      revision: head?.rev ?? 0,
      hash: head?.hash ?? null,
      store: { ...capabilities },
      ...this.#status(),
      members: members === null ? null : members.map(shownMember),
      ...(memberList === null && this.#lastMemberList !== null
        ? { members_as_of: timeOf(this.#lastMemberList.at) }
        : {}),
      ...(unreadable.length === 0 ? {} : { unreadable: unreadable.map((each) => ({ ...each })) }),
      ...(rollout === null ? {} : { rollout: shownRollout(rollout) }),
    };
  }

  /** Returns the latest changes before a revision, newest first. */
  async history(before: number = Number.POSITIVE_INFINITY): Promise<readonly Entry[]> {
    const last = Math.min(this.#member.place?.head.rev ?? 0, before - 1);
    for (let from = Math.max(1, last - shownEntries + 1); from <= last; from += Math.ceil((last - from + 1) / 2)) {
      const entries = await this.#store.log(from, last);
      if (entries !== null) return entries.toReversed();
    }
    return [];
  }

  /** Returns the log entry of a revision and the resulting document. Throws an error with status 404 if there is no such entry. */
  async at(revision: number): Promise<{ readonly entry: Entry; readonly document: Json }> {
    const place = this.#member.place;
    const entries =
      place === null || revision > place.head.rev ? null : await this.#store.log(revision, place.head.rev);
    const entry = entries?.[0];
    if (place === null || entries === null || entry?.rev !== revision)
      throw pathError(`revision ${revision} is no longer in the fleet log, which contains only recent revisions`, 404);
    let { document } = place;
    for (const { inverse } of entries.slice(1).toReversed())
      document = applyOperations(document, operationsOf({ patch: inverse }));
    return { entry, document };
  }

  /** Rolls back to a revision by committing a new change. */
  async rollBack(revision: number, options: ChangeOptions): Promise<ChangeResult> {
    const { document } = await this.at(revision);
    return this.#reconciler.change((current) => shareSubtrees(current, document), options);
  }

  /** Confirms the pending change. Throws an error with status 409 if no change is pending. */
  async confirm(): Promise<void> {
    const { unconfirmed } = this.#reconciler;
    if (unconfirmed === null)
      throw new SluiceError('ERR_UNCONFIRMED', 'no fleet change is waiting for confirmation', { status: 409 });
    await this.#reconciler.confirm(unconfirmed.revision);
  }

  adopt(): Promise<void> {
    return this.#member.adopt();
  }

  adoption(): Promise<Adoption> {
    return this.#member.adoption();
  }

  retry(): Promise<void> {
    return this.#member.retry();
  }

  /** Drains a member, or resumes its traffic. */
  async drain(name: string, on: boolean): Promise<void> {
    const memberList = await readMembers(this.#store);
    if (on && !memberList.some((entry) => entry.name === name))
      throw pathError(`the fleet has no member ${JSON.stringify(name)}`, 404);
    const writer = { store: this.#store, name: this.name, id: systemEnvironment.id() };
    await writeOrders(writer, [{ key: `drain/${name}`, value: on ? 'yes' : null }]);
  }

  #status(): JsonObject {
    return statusOf(this.#member, {
      document: this.#reconciler.document,
      isReady: this.isReady,
      isTaken: this.#presence.isTaken,
      report: this.rollouts.report,
    });
  }
}
