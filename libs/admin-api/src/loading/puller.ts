/**
 * Pulls configurations (`admin.config.load`). It outlives them, as the endpoint does: the one in force says where to pull
 * from and how often, and what was pulled is loaded like any other.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { adaptText, type Reconciler } from '@sluice/reconciler';
import { checkIntended, taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import type { ConfigLoader, LoadedConfig } from '@sluice/contracts';
import { parseJsonBody } from '../http/json-body.ts';
import { subtypeOf } from '../http/media-type.ts';

/** What a configuration says of pulling. */
export interface PullPlan {
  readonly loader: ConfigLoader;
  /** Milliseconds before each pull; 0 for one pull, which the configuration that asks for it waits for. */
  readonly delay: number;
}

/**
 * Without a delay: how long to wait after a failure, at first and at most, and at least between a pull and one that its
 * configuration asks for in turn, in milliseconds.
 */
const pause = 1_000;
const longestPause = 60_000;

/** How often a pull that a configuration waits for is tried, and how long to wait in between, in milliseconds. */
const attempts = 10;
const attemptPause = 500;

/** The service of the control thread by which the section `admin` finds the puller. */
export const configPuller: Token<ConfigPuller> = token<ConfigPuller>('config_puller');

/** Pulls as the configuration in force says, one at a time. */
export class ConfigPuller {
  readonly #log: Logger;
  #reconciler: Reconciler | null = null;
  #plan: PullPlan | null = null;
  #stop = new AbortController();
  #closed = false;
  /** When a pulled configuration was last loaded, in milliseconds since 1970. */
  #appliedAt = Number.NEGATIVE_INFINITY;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Sets the reconciler that is loaded into; before the first configuration. */
  serve(reconciler: Reconciler): void {
    this.#reconciler = reconciler;
  }

  /**
   * A pull that a configuration waits for before it is in force. Tried for some seconds; rejects with the last failure,
   * and then the configuration is refused.
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

  /** Pulls as a configuration says, from now on. `document` is what its first pull gave, if it waited for one. */
  begin(plan: PullPlan, document: Json | undefined): void {
    this.end();
    if (this.#closed) return;
    this.#plan = plan;
    this.#stop = new AbortController();
    unawaited(taskOf('admin'), this.#run(plan, document, this.#stop.signal));
  }

  /** Ends pulling by a plan that is no longer in force; without one, any. */
  end(plan: PullPlan | null = this.#plan): void {
    if (plan === null || plan !== this.#plan) return;
    this.#plan = null;
    this.#stop.abort();
  }

  /** Ends pulling for good. */
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
        retry = Math.min(2 * retry, longestPause);
        const message = 'the configuration could not be pulled; the one before stays, and it is tried again';
        this.#log.error(message, { error, wait_ms: wait });
      }
      document = undefined;
    }
  }

  async #apply(document: Json): Promise<void> {
    this.#appliedAt = performance.now();
    const result = await this.#reconciler?.load(document, { origin: 'loader' });
    if (result?.changed === true) this.#log.info('pulled configuration is in effect');
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
