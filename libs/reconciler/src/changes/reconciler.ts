/**
 * Owns the configuration document and applies changes to it, one at a time and in order. To apply a change, the reconciler edits the
 * document, builds the result in this thread, and prepares it in the traffic threads. It then activates the result everywhere. Readers
 * never have to wait.
 */
import { randomUUID } from 'node:crypto';
import { diff } from '../document/diff.ts';
import { IdIndex, type IdChange } from '../document/ids.ts';
import { messageOf, type Json, type ConfigPath, within, type Logger } from '@sluice/base';
import { shareSubtrees } from '../document/share.ts';
import { getAt } from '../document/tree.ts';
import {
  ChangeHooks,
  guardTaps,
  type AppliedChange,
  type AppLookup,
  type AppToken,
  type PreparedChange,
  type RehearsedChange,
  type Registry,
  type RunningServer,
  type Token,
} from '@sluice/registry';
import { appsOf, type Rehearsing, type Runtime } from '../reconcile/runtime.ts';
import {
  digestOf,
  documentOf,
  nothingMade,
  type Applied,
  type ChangeAttempt,
  type ChangeOptions,
  type ChangeResult,
  type Edit,
  type Edited,
} from './change.ts';
import { canaryError, planCanary, type Canary } from './canary.ts';
import { Confirmation, type Unconfirmed } from './confirmation.ts';
import { History, notKept, relativeTo, type HistoryEntry } from './history.ts';
import { persistChanges, saveChange } from './persist-changes.ts';
import { completed } from '../reconcile/report.ts';
import { rehearse } from './rehearse.ts';
import type { ConfigStore } from './store.ts';
import type { Swap, TrafficThreads } from './threads.ts';
import type { DocumentSources } from './document-sources.ts';
import { Transitions, type PreparedTransition } from './transitions.ts';
import { EffectiveDocument, type Effective } from './effective-document.ts';
import type { ReconcilerOptions } from './reconciler-options.ts';

/** Applies configuration changes. The reconciler runs in the control thread, and the other threads follow. */
export class Reconciler implements RunningServer {
  readonly registry: Registry;
  readonly log: Logger;
  /** Change hooks for other components. */
  readonly hooks: ChangeHooks;
  /** History of applied changes. If it is persistent, it includes changes from previous processes. */
  readonly history: History;
  readonly #runtime: Runtime;
  readonly #threads: TrafficThreads;
  readonly #store: ConfigStore | null;
  readonly #effective: EffectiveDocument;
  readonly #ids = new IdIndex();
  readonly #confirmation = new Confirmation((change) => this.#undo(change));
  #document: Json = null;
  #revision = 0;
  /** Source locations of the document; `null` if unknown. */
  sources: DocumentSources | null = null;
  /** Last document of the previous process. Kept until this process has recorded its first configuration. */
  #past: Json | undefined = undefined;
  readonly #transitions: Transitions;
  /** The canary, which is an edit that serves a share of the requests. `null` if there is none. */
  #canary: Canary | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ReconcilerOptions) {
    this.registry = options.registry;
    this.log = options.log;
    this.#runtime = options.runtime;
    this.#threads = options.threads;
    this.#transitions = new Transitions(options.runtime, options.threads);
    this.#store = options.store;
    this.#effective = new EffectiveDocument(options.view, options.layer);
    const past = options.store?.history?.past ?? null;
    this.history = past?.history ?? new History();
    if (past !== null) {
      this.#past = past.document;
      this.#revision = past.history.entries[0]?.revision ?? 0;
    }
    this.hooks = new ChangeHooks(options.log);
    this.#tapHooks();
  }

  /** The active document; `null` if no configuration is active. */
  get document(): Json {
    return this.#document;
  }

  get effective(): Json {
    return this.#effective.inForce;
  }

  get revision(): number {
    return this.#revision;
  }

  /** The active change that is waiting for confirmation, or `null`. */
  get unconfirmed(): Unconfirmed | null {
    return this.#confirmation.waiting;
  }

  /**
   * Returns the document at a revision. If the history doesn't contain the revision, throws an error with status
   * 404.
   */
  documentAt(revision: number): Json {
    return (this.history.documentAt(revision, this.#document) ?? notKept(revision)).document;
  }

  read(path: ConfigPath): Json | undefined {
    return getAt(this.#document, path);
  }

  /** Returns the path of the object whose `@id` is `id`. If there is none, throws an error with status 404. */
  pathOfId(id: string): ConfigPath {
    return this.#ids.resolve(this.#document, id);
  }

  /** Returns this thread's instance of an app. Returns `null` if the app is not configured. */
  app<T>(token: AppToken<T>): T | null {
    return this.#runtime.app(token);
  }

  /** Returns a service of this thread for admin endpoints, or `undefined` if there is none. */
  service<T>(token: Token<T>): T | undefined {
    return this.#runtime.service(token);
  }

  /** Applies an edit. If any part fails, the edit is rejected and no thread changes anything. */
  async change(edit: Edit, options: ChangeOptions = {}): Promise<ChangeResult> {
    const { op = randomUUID() } = options;
    for (let attempt = 1; ; attempt++) {
      try {
        const { result, saved } = await this.exclusive(() => this.#apply(edit, options, { op, attempt }));
        const unsaved = await saved;
        if (result.report !== null) return { ...result, report: await completed(result.report) };
        return unsaved === null ? result : { ...result, unsaved };
      } catch (error) {
        if (options.dryRun === true || !(await this.hooks.overtaken.promise({ op, attempt, error }))) throw error;
      }
    }
  }

  tryOut(document: Json | (() => Json), during: (apps: AppLookup) => Promise<void>): Promise<void> {
    const shared = (): Json => this.#effective.of(shareSubtrees(this.#document, documentOf(document)));
    return this.exclusive(async () => this.#runtime.tryOut(shared(), ({ build }) => during(appsOf(build.units))));
  }

  /** Replaces the entire document. Subtrees that are equal to current subtrees are shared, so only the differences are built. */
  load(document: Json, options: ChangeOptions = {}): Promise<ChangeResult> {
    return this.change((current) => shareSubtrees(current, document), { origin: 'load', sources: null, ...options });
  }

  /**
   * Starts a canary: an edit that serves a share of the requests without being applied. After each later change, the edit is reapplied to
   * the document. If that fails, the canary ends. If a canary already exists, throws an error with status 409.
   */
  startCanary(canary: Canary, { origin = 'api', by = null }: Pick<ChangeOptions, 'origin' | 'by'> = {}): Promise<void> {
    return this.exclusive(async () => {
      if (this.#canary !== null) throw canaryError('cannot start a rollout: another change is being rolled out');
      const before = this.#document;
      await this.hooks.proposed.promise({ before, after: canary.edit(before), origin, by });
      await this.#exchangeCanary(canary);
    });
  }

  /** Changes the canary's share of requests immediately, without waiting for changes in progress. */
  async shareCanary(id: string, share: number): Promise<void> {
    this.#runtime.shareCanary(id, share);
    await this.#threads.share(id, share);
  }

  /** Ends the canary of a rollout. Its requests in flight continue. */
  endCanary(id: string): Promise<void> {
    return this.exclusive(async () => {
      if (this.#canary?.settings.id === id) await this.#exchangeCanary(null);
    });
  }

  /** Confirms and saves a change. Throws an error with status 409 if the change is not waiting for confirmation. */
  async confirm(revision: number): Promise<{ readonly unsaved: string | null }> {
    const { saved } = await this.exclusive(async () => {
      await this.hooks.confirming.promise(this.#confirmation.find(revision));
      const { operations } = this.#confirmation.confirm(revision);
      return { saved: saveChange(this.hooks, this.log, { document: this.#document, operations }) };
    });
    return { unsaved: await saved };
  }

  /** Runs a task while no change is in progress. Changes wait until the task completes. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(task);
    this.#turn = run.catch(() => undefined);
    return run;
  }

  /** Waits up to `timeout` milliseconds for the change in progress, then drops this thread's configuration. */
  async close(timeout: number = Number.POSITIVE_INFINITY): Promise<void> {
    const dropped = this.exclusive(async () => {
      this.#confirmation.end();
      await this.#runtime.close();
    });
    try {
      if (!(await within(dropped, timeout))) this.log.error('failed to unload the configuration in time');
    } finally {
      await this.#store?.close();
    }
  }

  async #apply(edit: Edit, options: ChangeOptions, request: ChangeAttempt): Promise<Applied> {
    const before = this.#document;
    const after = edit(before);
    const { force = false, variant, layer } = options;
    const isSame = after === before && !force && variant === undefined && layer === undefined;
    if (options.dryRun === true)
      return { result: await this.#report(before, after, isSame, options), saved: nothingToSave };
    const { sources = this.sources } = options;
    if (!isSame) return this.#enact({ before, after, sources }, options, request);
    this.sources = sources;
    return { result: nothingMade, saved: nothingToSave };
  }

  /** Validates a change without applying it. Reports the components that it would build. */
  async #report(before: Json, after: Json, isSame: boolean, options: ChangeOptions): Promise<ChangeResult> {
    if (!isSame) this.#ids.plan(before, after);
    const operations = isSame ? [] : diff(before, after);
    // Dry runs also check the expected behavior. A rollout starts with a dry run, which must meet the same conditions as a change.
    const expected = isSame ? null : (options.expected?.(before, after) ?? null);
    return { ...nothingMade, changed: !isSame, operations, report: await this.#rehearse(after, options, expected) };
  }

  /** Applies a change in all threads, or in none. */
  async #enact({ before, after, sources }: Edited, options: ChangeOptions, request: ChangeAttempt): Promise<Applied> {
    const ids = this.#ids.plan(before, after);
    const operations = diff(before, after);
    const { origin = 'api', by = null } = options;
    const isLayerOnly = after === before && options.layer !== undefined;
    if (!isLayerOnly) await this.hooks.proposed.promise({ before, after, origin, by });
    const goesBack = this.#confirmation.goesBack(after);
    const confirmWithin = goesBack ? null : (options.confirmWithin ?? null);
    const expected = options.expected?.(before, after) ?? null;
    const change = { ...request, ...digestOf(options), before, after, origin, by, operations, confirmWithin, expected };
    const { swapped, effective } = await this.#transition(change, options, ids).catch((error: unknown) => {
      this.hooks.refused.call(error);
      throw sources?.inError(error, after) ?? error;
    });
    if (isLayerOnly) {
      await swapped;
      this.hooks.layered.call({ origin, operations: effective });
      return { result: { ...nothingMade, changed: true }, saved: nothingToSave };
    }
    this.sources = sources;
    const time = Date.now();
    const entry = { revision: this.#revision, time, origin, by, operations };
    if (goesBack) this.#confirmation.end();
    else if (options.confirmWithin !== undefined)
      this.#confirmation.begin({ ...entry, before, deadline: time + options.confirmWithin });
    const unconfirmed = this.#confirmation.waiting;
    // Save the last configuration that was confirmed or required no confirmation. Save it while the threads activate the change. At this
    // point, no thread can reject the change anymore.
    const saved =
      goesBack || unconfirmed !== null
        ? nothingToSave
        : saveChange(this.hooks, this.log, { document: after, operations });
    await swapped;
    this.hooks.committed.call(this.#applied(entry, before));
    return { result: { changed: true, operations, report: null, unconfirmed, unsaved: null }, saved };
  }

  /** Registers the change hooks of built-in features. They run in this order, before the hooks of packages. */
  #tapHooks(): void {
    const { proposed, committed } = this.hooks;
    proposed.tap('confirmation', ({ after }) => this.#confirmation.check(after));
    committed.tap('history', ({ before, document, ...entry }) => this.history.record(entry, diff(document, before)));
    if (this.#store !== null) persistChanges(this.#store, this.history, this.hooks);
    guardTaps(this.registry.hooks.server, this.log);
    this.registry.hooks.server.call(this);
  }

  /** Describes the active change. The first change is relative to the document before the restart. */
  #applied(entry: HistoryEntry, before: Json): AppliedChange {
    const past = this.#past;
    this.#past = undefined;
    return past === undefined
      ? { ...entry, before, document: this.#document }
      : relativeTo(entry, past, this.#document);
  }

  #rehearse(after: Json, options: ChangeOptions, expected: RehearsedChange['expected']): ReturnType<typeof rehearse> {
    const { sources = this.sources, maxKept, comparesBehavior = false, shadow = null } = options;
    const effective = this.#effective.of(after);
    const before = this.#document;
    const tests = options.tests?.(before, after) ?? null;
    const change = { before, after, effective, comparesBehavior, shadow, tests, expected };
    const during: Rehearsing = (built) => this.hooks.rehearsed.promise({ ...change, ...built });
    return rehearse(this.#runtime, effective, sources, { during, maxKept });
  }

  async #undo(change: Unconfirmed): Promise<void> {
    const { revision, before } = change;
    try {
      const edit: Edit = (document) => (this.unconfirmed === change ? before : document);
      const { changed } = await this.change(edit, { origin: `undo of revision ${revision}` });
      if (changed) this.log.warn('change was not confirmed in time; reverting it', { revision });
    } catch (error) {
      this.log.error('failed to revert an unconfirmed change; will retry', { revision, error });
      throw error;
    }
  }

  /** Starts or ends the canary for the current document. */
  async #exchangeCanary(canary: Canary | null): Promise<void> {
    const document = this.#effective.inForce;
    const beside = { document: this.#document, effective: document, view: (of: Json) => this.#effective.of(of) };
    const planned = canary === null ? null : planCanary(canary, beside);
    const prepared = await this.#transitions.prepare({ document, operations: [], force: false }, planned);
    this.#transitions.commit(prepared);
    this.#canary = canary;
    await this.#threads.commit(prepared.sequence);
  }

  /**
   * Activates a prepared document. Resolves when this thread has activated it and notified the other threads. `swapped` resolves when these
   * threads have activated it.
   */
  async #transition(
    change: Omit<PreparedChange, 'made' | 'apps' | 'effective'>,
    { force = false, variant, layer, endsCanary = false }: ChangeOptions,
    ids: IdChange,
  ): Promise<Swap & { readonly effective: Effective['operations'] }> {
    const next = this.#effective.next(change, { variant, layer });
    const { document } = next;
    const canary = endsCanary ? null : this.#canary;
    const { prepared, problem } = await this.#prepare(change.after, next, force, canary);
    const { candidate, sequence } = prepared;
    try {
      await this.#runtime.leave(candidate);
      const made = () => this.#runtime.made(candidate);
      const apps = () => this.#runtime.appsOf(candidate);
      await this.hooks.prepared.promise({ ...change, made, apps, effective: document });
    } catch (error) {
      await this.#transitions.abort(prepared);
      throw error;
    }
    this.#transitions.commit(prepared);
    this.#document = change.after;
    this.#ids.apply(ids);
    if (change.after !== change.before || layer === undefined) this.#revision++;
    this.#effective.commit(next);
    this.#threads.joined(document);
    const swapped = this.#threads.commit(sequence);
    if (prepared.canary === null) this.#canary = null;
    if (problem !== null) canary?.onEnd(problem);
    return { swapped, effective: next.operations };
  }

  /**
   * Prepares a document together with the canary. If only the canary fails, prepares the document without the canary. `problem` is the
   * reason for the failure.
   */
  async #prepare(
    after: Json,
    next: Effective,
    force: boolean,
    canary: Canary | null,
  ): Promise<{ readonly prepared: PreparedTransition; readonly problem: string | null }> {
    const { document: effective, operations, variant, layer } = next;
    const wanted = { document: effective, operations, force };
    if (canary === null) return { prepared: await this.#transitions.prepare(wanted, null), problem: null };
    try {
      const view = (document: Json): Json => this.#effective.of(document, variant, layer);
      const planned = planCanary(canary, { document: after, effective, view });
      return { prepared: await this.#transitions.prepare(wanted, planned), problem: null };
    } catch (error) {
      return { prepared: await this.#transitions.prepare(wanted, null), problem: messageOf(error) };
    }
  }
}

const nothingToSave: Promise<null> = Promise.resolve(null);
