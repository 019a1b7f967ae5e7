/**
 * Pulls configurations from an external source (`admin.config.load`). Like the endpoint, the puller survives configuration reloads. The
 * active configuration determines the source and the interval. A pulled configuration is loaded like any other configuration.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { adaptText, type Reconciler } from '@sluice/reconciler';
import { checkIntended, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import type { ConfigLoader, LoadedConfig } from '@sluice/contracts';
import { parseJsonBody } from '../http/json-body.ts';
import { subtypeOf } from '../http/media-type.ts';

/** Settings for pulling configurations. */
export interface PullPlan {
  readonly loader: ConfigLoader;
  /** Delay before each pull, in milliseconds. If 0, a single pull completes before the configuration becomes active. */
  readonly delay: number;
}

/**
 * Initial and maximum retry delay if no delay is configured, in milliseconds. `pause` is also the minimum time between two pulls if a
 * pulled configuration requests another pull.
 */
const pause = 1_000;
const maxPause = 60_000;

/**
 * Limits for a pull that must complete before a configuration becomes active: the number of attempts, and the delay between attempts in
 * milliseconds.
 */
const attempts = 10;
const attemptPause = 500;

/** Pulls configurations one at a time, as the active configuration specifies. */
export class ConfigPuller {
  readonly #log: Logger;
  #reconciler: Reconciler | null = null;
  #plan: PullPlan | null = null;
  #stop = new AbortController();
  #closed = false;
  /** Time when a pulled configuration was last loaded, in milliseconds since 1970. */
  #appliedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Sets the reconciler that loads pulled configurations. Call this method before loading the first configuration. */
  serve(reconciler: Reconciler): void {
    this.#reconciler = reconciler;
  }

  /**
   * Pulls before a configuration becomes active. Retries for a few seconds. If all attempts fail, rejects with the last error, and the
   * configuration is rejected.
   */
  async first({ loader }: PullPlan): Promise<Json> {
    const { signal } = new AbortController();
    for (let attempt = 1; attempt < attempts; attempt++) {
      const loaded = await loader.load(signal).catch(() => null);
      if (loaded !== null) return this.#read(loaded, signal);
      await sleep(attemptPause);
    }
    return this.#read(await loader.load(signal), signal);
  }

  /** Starts pulling for a configuration. `document` is the result of the first pull if the configuration waited for this pull. */
  begin(plan: PullPlan, document: Json | undefined): void {
    this.end();
    if (this.#closed) return;
    this.#plan = plan;
    this.#stop = new AbortController();
    unawaited(taskOf('admin'), this.#run(plan, document, this.#stop.signal));
  }

  /** Stops pulling for a plan that is no longer active. If no plan is given, stops pulling for any plan. */
  end(plan: PullPlan | null = this.#plan): void {
    if (plan === null || plan !== this.#plan) return;
    this.#plan = null;
    this.#stop.abort();
  }

  /** Stops pulling permanently. */
  close(): void {
    this.#closed = true;
    this.end();
  }

  async #run(plan: PullPlan, first: Json | undefined, signal: AbortSignal): Promise<void> {
    let document = first;
    let wait = document === undefined ? plan.delay : this.#appliedAt + pause - performance.now();
    let retry = pause;
    while (!signal.aborted) {
      try {
        if (wait > 0) await sleep(wait, null, { signal, ref: false });
        document ??= await this.#read(await plan.loader.load(signal), signal);
        if (signal.aborted) return;
        await this.#apply(document);
        if (plan.delay === 0) return;
        wait = plan.delay;
      } catch (error) {
        if (signal.aborted) return;
        wait = plan.delay === 0 ? retry : plan.delay;
        retry = Math.min(2 * retry, maxPause);
        const message = 'failed to load a configuration; keeping the previous one and retrying';
        this.#log.error(message, { error, wait_ms: wait });
      }
      document = undefined;
    }
  }

  async #apply(document: Json): Promise<void> {
    this.#appliedAt = performance.now();
    const result = await this.#reconciler?.load(document, { origin: 'loader' });
    if (result?.changed === true) this.#log.info('applied pulled configuration');
  }

  async #read({ body, adapter, contentType }: LoadedConfig, signal: AbortSignal): Promise<Json> {
    const format = adapter ?? (contentType === null ? 'json' : subtypeOf(contentType));
    if (format === 'json') return parseJsonBody(body).value;
    const adapted = await adaptText(this.#reconciler as Reconciler, { format, body, sources: false }, signal);
    const { warnings } = adapted;
    const config = JSON.parse(adapted.json) as Json;
    for (const { line, message } of warnings) this.#log.warn(message, { line });
    checkIntended(body, config, 'the configuration');
    return config;
  }
}
