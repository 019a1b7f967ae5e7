/**
 * Configuration that providers add to the document. It forms a layer above the document: `GET /config/` returns only the written
 * configuration, and loading a configuration doesn't remove provided parts. Each process has one instance, so that fragments survive
 * changes to the `providers` app.
 */
import { isObject, messageOf, own, type Json, type JsonObject, type Logger } from '@sluice/base';
import { adaptText, type Reconciler } from '@sluice/reconciler';
import { token, type Token } from '@sluice/registry';
import type { FragmentChanges, FragmentResults } from './contract.ts';
import { culpritOf } from './culprit.ts';
import { updateMerged } from './merge-update.ts';
import { mergeFragments, type Merged, type ProvidedSet } from './merge.ts';
import { ProviderState, type Failure } from './provider-state.ts';
import { maySettleConflict, retriedKeys } from './retries.ts';
import { StateFile } from './state-file.ts';

/** Service of the control thread through which the `providers` app accesses the provided configuration. */
export const providedConfig: Token<ProvidedConfig> = token<ProvidedConfig>('provided_config');

interface FailedAttempt extends Failure {
  readonly error: unknown;
  /** Key of the fragment that caused the error; `null` if unknown. */
  readonly culprit: string | null;
}

interface Source {
  readonly state: ProviderState;
  readonly file: StateFile;
}

export class ProvidedConfig {
  readonly #log: Logger;
  readonly #directory: string | undefined;
  readonly #sources = new Map<string, Source>();
  /** Callbacks by provider name. They receive the keys of rejected fragments that may have become valid. */
  readonly #retriers = new Map<string, (keys: readonly string[]) => void>();
  #reconciler: Reconciler | null = null;
  /** Resolves when the result of the current attempt is recorded. The next attempt must wait for this promise. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Result of the last merge. If the inputs are the same, it is returned again. */
  #last: { readonly document: Json; readonly sets: readonly ProvidedSet[]; readonly merged: Merged } | null = null;

  /** @param directory Directory of saved fragments. Default: `providers` in the data directory. */
  constructor(log: Logger, directory?: string) {
    this.#log = log;
    this.#directory = directory;
  }

  /** Sets the reconciler. Must be called before the first configuration is loaded. */
  serve(reconciler: Reconciler): void {
    this.#reconciler = reconciler;
    reconciler.hooks.committed.tap('providers', ({ document }) => {
      this.#enterConflicts(this.#merge(document, null));
      this.#retryRejected(true);
    });
    reconciler.hooks.layered.tap('providers', ({ operations }) => {
      if (operations.some(maySettleConflict)) this.#retryRejected(false);
    });
  }

  /**
   * Registers a callback for a provider's fragments. `retry` receives the keys of rejected fragments that a change may have made valid. It
   * also receives the keys of fragments whose conflict began or ended.
   */
  onRetry(name: string, retry: (keys: readonly string[]) => void, signal: AbortSignal): void {
    this.#retriers.set(name, retry);
    signal.addEventListener('abort', () => {
      if (this.#retriers.get(name) === retry) this.#retriers.delete(name);
    });
  }

  /** Reconciler layer that adds the fragments of the configured providers, in document order. */
  readonly layer = (document: Json): Json => this.#merge(document, null).document;

  /** Returns the states of the configured providers, in order. */
  states(document: Json): readonly ProviderState[] {
    return providerNames(document).map((name) => this.#source(name).state);
  }

  state(name: string): ProviderState {
    return this.#source(name).state;
  }

  adapt(format: string, body: string): Promise<JsonObject> {
    const reconciler = this.#reconciler as Reconciler;
    const { signal } = new AbortController();
    return adaptText(reconciler, { format, body: Buffer.from(body), sources: false }, signal).then(
      ({ json }) => JSON.parse(json) as JsonObject,
    );
  }

  /**
   * Applies changes to a provider's fragments. If a fragment is rejected, both its new and its previous version are omitted. Other
   * fragments are not affected. A fragment that conflicts with the document or an earlier fragment has no effect until the conflict ends.
   * Never rejects. Resolves once all threads use the result.
   */
  async apply(name: string, changes: FragmentChanges): Promise<FragmentResults> {
    const { file, state } = this.#source(name);
    state.clearRejected(changes.keys());
    const results = new Map<string, string | null>();
    await this.#applyAll(
      state,
      new Map([...changes].filter(([key, value]) => value !== null || state.applied.has(key))),
      results,
    );
    file.save(changes.keys(), state.applied);
    return results;
  }

  /** Saves pending changes. */
  async close(): Promise<void> {
    await Promise.all([...this.#sources.values()].map(({ file }) => file.flush()));
  }

  async #applyAll(state: ProviderState, changes: FragmentChanges, results: Map<string, string | null>): Promise<void> {
    const left = new Map(changes);
    while (left.size > 0) {
      const attempt = this.#turn.then(() => this.#try(state, left));
      this.#turn = attempt;
      const failed = await attempt;
      if (failed === null) {
        for (const [key, fragment] of left) if (fragment !== null) results.set(key, state.conflicts.get(key) ?? null);
        return;
      }
      const { error, culprit } = failed;
      const key = culprit ?? (left.size === 1 ? [...left.keys()][0] : undefined);
      if (key === undefined) {
        const all = [...left];
        const half = all.length >> 1;
        await this.#applyAll(state, new Map(all.slice(0, half)), results);
        await this.#applyAll(state, new Map(all.slice(half)), results);
        return;
      }
      const fragment = left.get(key) ?? null;
      left.delete(key);
      if (fragment === null)
        this.#log.error('failed to remove generated configuration of an object', { provider: state.name, key, error });
      else {
        results.set(key, state.reject(key, fragment, failed));
        this.#log.warn('rejected a fragment', { provider: state.name, object: fragment.object, error });
        if (state.applied.has(key)) left.set(key, null);
      }
    }
  }

  /** Tries to apply a change. Returns its error, or `null` if the change became active. */
  async #try(state: ProviderState, changes: FragmentChanges): Promise<FailedAttempt | null> {
    const next = state.with(changes);
    // The layer is first called for the active document. The reconciler keeps the layer for later documents.
    const first: { merged: Merged | null | undefined } = { merged: undefined };
    const layer = (document: Json): Json => {
      const merged = this.#merge(document, next.set);
      if (first.merged === undefined) first.merged = merged;
      return merged.document;
    };
    try {
      await (this.#reconciler as Reconciler).change((document) => document, {
        origin: `provider ${state.name}`,
        layer,
      });
      state.commit(next);
      if (first.merged != null) this.#enterConflicts(first.merged, { state, changes });
      first.merged = null;
      return null;
    } catch (error) {
      const found = this.#last?.sets.includes(next.set) === true ? culpritOf(this.#last.merged, error) : null;
      if (found?.placed.provider !== state.name || !changes.has(found.placed.entry[0]))
        return { error, culprit: null, isInRoute: false, message: messageOf(error) };
      const { placed, isInRoute, message } = found;
      return { error, culprit: placed.entry[0], isInRoute, message };
    }
  }

  /**
   * Records the conflicts in the active configuration. To notify providers about fragments outside the current change, applies these
   * fragments again.
   */
  #enterConflicts({ conflicts }: Merged, made: { state: ProviderState; changes: FragmentChanges } | null = null): void {
    for (const [name, { state }] of this.#sources) {
      const keys = state.enterConflicts(conflicts.get(name) ?? none);
      for (const key of keys) {
        const error = state.conflicts.get(key);
        const object = state.applied.get(key)?.object ?? key;
        if (error !== undefined) this.#log.warn('rejected a fragment', { provider: name, object, error });
      }
      const others = made?.state === state ? keys.filter((key) => !made.changes.has(key)) : keys;
      if (others.length > 0) this.#retriers.get(name)?.(others);
    }
  }

  #retryRejected(isDocumentChange: boolean): void {
    for (const [name, retry] of this.#retriers) {
      const keys = retriedKeys(this.state(name).rejected, isDocumentChange);
      if (keys.length > 0) retry(keys);
    }
  }

  #merge(document: Json, replaced: ProvidedSet | null): Merged {
    const names = providerNames(document);
    if (names.length === 0) return unchanged(document);
    const sets = names.map((name) => (replaced?.provider === name ? replaced : this.state(name).set));
    const last = this.#last;
    if (last?.document === document && last.sets.every((set, i) => set === sets[i]) && last.sets.length === sets.length)
      return last.merged;
    const updated = last?.document === document ? updateMerged(last.merged, last.sets, sets) : null;
    const merged = updated ?? mergeFragments(document as JsonObject, sets);
    this.#last = { document, sets, merged };
    return merged;
  }

  #source(name: string): Source {
    const known = this.#sources.get(name);
    if (known !== undefined) return known;
    const file = new StateFile(name, this.#log, this.#directory);
    const source = { state: new ProviderState(name, file.read()), file };
    this.#sources.set(name, source);
    return source;
  }
}

const none: ReadonlyMap<string, never> = new Map<string, never>();

function unchanged(document: Json): Merged {
  // A document without providers may be any JSON value.
  return {
    document: document as JsonObject,
    routes: none,
    servers: none,
    byAddress: none,
    settled: none,
    conflicts: none,
  };
}

/** Returns the names of the configured providers, in document order. */
function providerNames(document: Json): readonly string[] {
  const apps = isObject(document) ? own(document, 'apps') : undefined;
  const app = isObject(apps) ? own(apps, 'providers') : undefined;
  const sources = isObject(app) ? own(app, 'sources') : undefined;
  return isObject(sources) ? Object.keys(sources) : [];
}
