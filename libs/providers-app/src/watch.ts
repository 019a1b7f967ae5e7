/** A running provider. */
import { setTimeout as sleep } from 'node:timers/promises';
import { taskOf, unawaited, type Logger } from '@sluice/base';
import type { Fragment, FragmentChanges, Provider, ProviderHost } from './contract.ts';
import type { ProvidedConfig } from './provided-config.ts';

/** Delays in milliseconds before a provider is restarted after a failure. */
const firstRetry = 500;
const maxRetry = 30_000;

/** Runs a provider and applies its events one batch at a time. Events that arrive in the meantime form the next batch. */
export class Watch implements ProviderHost {
  readonly log: Logger;
  readonly #name: string;
  readonly #provider: Provider;
  readonly #provided: ProvidedConfig;
  readonly #stop = new AbortController();
  #pending = new Map<string, Fragment | null>();
  #isApplying = false;
  #isComplete = false;
  /** Fragments that the provider has reported. {@link replace} compares new fragments with them and applies only the changed ones. */
  readonly #reported = new Map<string, Fragment>();

  constructor(name: string, provider: Provider, provided: ProvidedConfig, log: Logger) {
    this.#name = name;
    this.#provider = provider;
    this.#provided = provided;
    this.log = log;
  }

  start(): void {
    this.#provided.onRetry(
      this.#name,
      (keys) => {
        this.#retry(keys);
      },
      this.#stop.signal,
    );
    unawaited(taskOf('providers'), this.#run());
  }

  stop(): void {
    this.#stop.abort();
  }

  replace(all: ReadonlyMap<string, Fragment>): void {
    const { applied, rejected } = this.#provided.state(this.#name);
    const changes = new Map<string, Fragment | null>();
    for (const [key, fragment] of all) if (this.#reported.get(key) !== fragment) changes.set(key, fragment);
    for (const keys of [applied, rejected, this.#reported, this.#pending])
      for (const key of keys.keys()) if (!all.has(key)) changes.set(key, null);
    this.#isComplete = true;
    if (this.#provided.state(this.#name).enter('synced'))
      this.log.info('synchronized with provider source', { objects: all.size });
    this.update(changes);
  }

  update(changes: FragmentChanges): void {
    for (const [key, fragment] of changes) {
      this.#pending.set(key, fragment);
      if (fragment === null) this.#reported.delete(key);
      else this.#reported.set(key, fragment);
    }
    this.#applyPending();
  }

  report(error: unknown): void {
    const state = this.#provided.state(this.#name);
    if (error === null) {
      if (state.enter('synced')) this.log.info('provider source is available again');
    } else if (state.enter('unavailable', error))
      this.log.error('provider source is unavailable; its last configuration stays in effect', { error });
  }

  adapt(format: string, body: string): ReturnType<ProviderHost['adapt']> {
    return this.#provided.adapt(format, body);
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let retry = firstRetry; !signal.aborted; retry = Math.min(2 * retry, maxRetry)) {
      const started = performance.now();
      try {
        await this.#provider.watch(this, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (performance.now() - started > maxRetry) retry = firstRetry;
        this.report(error);
      }
      await sleep(retry, null, { signal, ref: false }).catch(() => null);
    }
  }

  /** Applies rejected fragments again, except those that the provider has replaced in the meantime. */
  #retry(keys: readonly string[]): void {
    for (const key of keys) {
      const fragment = this.#reported.get(key);
      if (fragment !== undefined && !this.#pending.has(key)) this.#pending.set(key, fragment);
    }
    this.#applyPending();
  }

  #applyPending(): void {
    if (!this.#isApplying && !this.#stop.signal.aborted) unawaited(taskOf('providers'), this.#apply());
  }

  async #apply(): Promise<void> {
    this.#isApplying = true;
    const results = new Map<string, string | null>();
    try {
      while (this.#pending.size > 0 && !this.#stop.signal.aborted) {
        const changes = this.#pending;
        this.#pending = new Map();
        for (const key of changes.keys()) results.delete(key);
        for (const [key, result] of await this.#provided.apply(this.#name, changes)) results.set(key, result);
        // A fragment doesn't have a final result yet if it is being applied again.
        if (results.keys().some((key) => this.#pending.has(key))) continue;
        this.#provider.applied?.(new Map(results));
        results.clear();
      }
      // The source may have become unavailable in the meantime.
      if (this.#isComplete && !this.#stop.signal.aborted) this.#provided.state(this.#name).isReady = true;
    } finally {
      this.#isApplying = false;
    }
  }
}
