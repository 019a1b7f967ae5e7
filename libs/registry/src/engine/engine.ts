/**
 * The engine: owns the document and applies changes to it, one at a time and in order. A change is made on the tree,
 * built by this thread, prepared by the traffic threads, and only then swapped in everywhere; readers never wait.
 */
import { diff } from '../config/diff.ts';
import { hashNode } from '../config/hash.ts';
import { IdIndex, type IdChange } from '../config/ids.ts';
import { isObject, own, type Json } from '../config/json.ts';
import type { PatchOperation } from '../config/patch.ts';
import type { ConfigPath } from '../config/path.ts';
import { shareSubtrees } from '../config/share.ts';
import { valueAt } from '../config/tree.ts';
import { preconditionError } from '../errors.ts';
import type { Logger } from '../logging/logger.ts';
import type { AppToken } from '../modules/namespace.ts';
import type { Registry } from '../modules/registry.ts';
import type { BuildReport } from '../reconcile/report.ts';
import type { Runtime } from '../reconcile/runtime.ts';
import type { ConfigStore } from './store.ts';
import type { TrafficThreads } from './threads.ts';

/** Makes the new document of the current one; returns the same node for "nothing to do". Runs when it is its turn. */
export type Edit = (document: Json) => Json;

/** How a change is to be applied. */
export interface ChangeOptions {
  /** The hash that the content of a scope must still have. */
  readonly ifMatch?: { readonly path: ConfigPath; readonly hash: string } | undefined;
  /** Check and build everything, bind and keep nothing. */
  readonly dryRun?: boolean;
  /** Build everything anew, also what did not change. */
  readonly force?: boolean;
  /** Who asked, for logs and history: `api`, `load`, `file`, `signal` … */
  readonly origin?: string;
}

/** What came of a change. */
export interface ChangeResult {
  /** False if the document was the same and nothing was forced. */
  readonly changed: boolean;
  /** From the document before to the one after. */
  readonly operations: readonly PatchOperation[];
  /** For a dry run: which modules would be kept, made anew, added, dropped. */
  readonly report: BuildReport | null;
}

/** A change that was applied. */
export interface AppliedChange {
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: string;
  readonly document: Json;
  readonly operations: readonly PatchOperation[];
}

/** What an engine is made of. */
export interface EngineOptions {
  readonly registry: Registry;
  readonly runtime: Runtime;
  readonly threads: TrafficThreads;
  readonly store: ConfigStore | null;
  readonly log: Logger;
}

/** Applies changes. Every thread but the one that holds the engine follows. */
export class Engine {
  readonly registry: Registry;
  readonly log: Logger;
  readonly #runtime: Runtime;
  readonly #threads: TrafficThreads;
  readonly #store: ConfigStore | null;
  readonly #ids = new IdIndex();
  readonly #listeners = new Set<(change: AppliedChange) => void>();
  #document: Json = null;
  #revision = 0;
  #sequence = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: EngineOptions) {
    this.registry = options.registry;
    this.log = options.log;
    this.#runtime = options.runtime;
    this.#threads = options.threads;
    this.#store = options.store;
  }

  /** The document in force; `null` when there is none. */
  get document(): Json {
    return this.#document;
  }

  /** How many changes were applied. */
  get revision(): number {
    return this.#revision;
  }

  /** The value at a path; `undefined` where there is none. */
  read(path: ConfigPath): Json | undefined {
    return valueAt(this.#document, path);
  }

  /** Hash of the content at a path; that of `null` where there is none. */
  hashAt(path: ConfigPath): string {
    return hashNode(this.read(path) ?? null);
  }

  /** The path of the object with this `@id`; an error of status 404 if there is none. */
  pathOfId(id: string): ConfigPath {
    return this.#ids.resolve(this.#document, id);
  }

  /** The instance of an app in this thread, or `null` while the configuration has no such app. */
  app<T>(token: AppToken<T>): T | null {
    return this.#runtime.app(token);
  }

  /** Calls back after each applied change. Returns the function that ends it. */
  onApplied(listener: (change: AppliedChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Applies an edit. Rejects, with nothing changed anywhere, if any part of it fails. */
  async change(edit: Edit, options: ChangeOptions = {}): Promise<ChangeResult> {
    const { result, saved } = await this.exclusive(() => this.#apply(edit, options));
    await saved;
    return result;
  }

  /** Replaces the whole document. What equals the current one is shared with it, so only the difference is built. */
  load(document: Json, options: ChangeOptions = {}): Promise<ChangeResult> {
    return this.change((current) => shareSubtrees(current, document), { origin: 'load', ...options });
  }

  /** Runs something when no change is under way, and keeps changes out meanwhile; such as letting a worker join. */
  exclusive<T>(task: () => Promise<T>): Promise<T> {
    const run = this.#turn.then(task);
    this.#turn = run.catch(() => undefined);
    return run;
  }

  /** Waits for the change under way, then drops the configuration of this thread. */
  async close(): Promise<void> {
    await this.exclusive(async () => {
      await this.#runtime.close();
    });
    await this.#store?.close();
  }

  async #apply(edit: Edit, options: ChangeOptions): Promise<{ result: ChangeResult; saved: Promise<void> }> {
    const before = this.#document;
    this.#checkPrecondition(options);
    const after = edit(before);
    const force = options.force ?? false;
    if (after === before && !force) {
      return {
        result: {
          changed: false,
          operations: [],
          report: options.dryRun === true ? await this.#runtime.rehearse(after) : null,
        },
        saved: Promise.resolve(),
      };
    }
    const ids = this.#ids.plan(before, after);
    const operations = diff(before, after);
    if (options.dryRun === true) {
      return {
        result: { changed: true, operations, report: await this.#runtime.rehearse(after) },
        saved: Promise.resolve(),
      };
    }
    await this.#transition(after, operations, force, ids);
    const saved = this.#save(after, operations);
    this.#announce({
      revision: this.#revision,
      time: Date.now(),
      origin: options.origin ?? 'api',
      document: after,
      operations,
    });
    return { result: { changed: true, operations, report: null }, saved };
  }

  async #transition(after: Json, operations: readonly PatchOperation[], force: boolean, ids: IdChange): Promise<void> {
    const candidate = await this.#runtime.prepare(after, force);
    const sequence = ++this.#sequence;
    try {
      await this.#threads.prepare({ sequence, operations, force });
    } catch (error) {
      await Promise.all([this.#threads.abort(sequence), this.#runtime.abort(candidate, error)]);
      throw error;
    }
    await this.#runtime.leave(candidate);
    this.#runtime.commit(candidate);
    this.#document = after;
    this.#ids.apply(ids);
    this.#revision++;
    this.#threads.joined(after);
    await this.#threads.commit(sequence);
  }

  #checkPrecondition({ ifMatch }: ChangeOptions): void {
    if (ifMatch === undefined) return;
    const now = this.hashAt(ifMatch.path);
    if (now !== ifMatch.hash) {
      throw preconditionError(
        `/${ifMatch.path.join('/')} has changed since (its hash is ${now} now): get it again and repeat the change`,
      );
    }
  }

  async #save(document: Json, operations: readonly PatchOperation[]): Promise<void> {
    if (this.#store === null || !persists(document)) return;
    try {
      await this.#store.save(document, operations);
    } catch (error) {
      // The configuration is in force; losing it at a restart is to be known, but refusing it now would be a lie.
      this.log.error('the configuration was applied but could not be saved', { error });
    }
  }

  #announce(change: AppliedChange): void {
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch (error) {
        this.log.error('a listener for configuration changes failed', { error });
      }
    }
  }
}

/** Whether the document wants to be saved: `admin.config.persist` is not false. */
function persists(document: Json): boolean {
  const admin = isObject(document) ? own(document, 'admin') : undefined;
  const settings = isObject(admin) ? own(admin, 'config') : undefined;
  return !(isObject(settings) && own(settings, 'persist') === false);
}
