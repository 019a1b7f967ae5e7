/**
 * Writes object status to the API server. Sends only the latest status of each object, with retries and a limited number of concurrent
 * requests.
 */
import { taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { ApiError, type KubeClient } from './client.ts';
import { pause } from './reflector.ts';

/** Maximum number of status patches in flight. Higher values cause timeouts on a busy API server. */
const maxInFlight = 8;
/** Initial and maximum delay after failures, in milliseconds. The delay doubles after each failure, and random jitter is added. */
const firstDelay = 250;
const maxDelay = 15_000;
/** Maximum delay in milliseconds after an error that usually persists, such as a missing permission. */
const maxRefusedDelay = 300_000;
/** Number of consecutive failures of an object after which a warning is logged. */
const loggedFailures = 6;
/**
 * Retryable status codes below 500. They indicate conflicts and throttling. A starting API server also reports missing permissions and
 * missing objects. Once an object's deletion has been observed, `MakePatch` returns `null`.
 */
const retried: ReadonlySet<number> = new Set([401, 403, 404, 409, 429]);

/** Returns the patch to send, or `null` if the object no longer needs a patch. */
export type MakePatch = () => Json;

export class StatusWriter {
  readonly #client: KubeClient;
  readonly #log: Logger;
  readonly #isLeader: () => boolean;
  readonly #signal: AbortSignal;
  /** Status patches to be sent, keyed by object path, in arrival order. */
  readonly #waiting = new Map<string, MakePatch>();
  readonly #inFlight = new Set<string>();
  /** Numbers of consecutive failures, keyed by object path. */
  readonly #failures = new Map<string, number>();

  /** @param isLeader Reports whether this replica still writes status. If not, patches are discarded, because the new leader writes them. */
  constructor(client: KubeClient, log: Logger, isLeader: () => boolean, signal: AbortSignal) {
    this.#client = client;
    this.#log = log;
    this.#isLeader = isLeader;
    this.#signal = signal;
  }

  /** Queues a patch for the status at a path. Replaces a queued patch for the same path. */
  write(path: string, makePatch: MakePatch): void {
    this.#waiting.set(path, makePatch);
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    for (const [path, makePatch] of this.#waiting) {
      if (this.#inFlight.size >= maxInFlight || this.#signal.aborted) return;
      // Compute the object's next patch only after the patch in flight has completed.
      if (this.#inFlight.has(path)) continue;
      this.#waiting.delete(path);
      this.#inFlight.add(path);
      const sent = this.#send(path, makePatch).finally(() => {
        this.#inFlight.delete(path);
        this.#sendWaiting();
      });
      unawaited(taskOf('sluice.providers.kubernetes'), sent);
    }
  }

  async #send(path: string, makePatch: MakePatch): Promise<void> {
    const patch = this.#isLeader() ? makePatch() : null;
    if (patch === null) {
      this.#failures.delete(path);
      return;
    }
    try {
      await this.#client.mergePatch(path, patch, this.#signal);
      this.#failures.delete(path);
    } catch (error) {
      if (this.#signal.aborted) return;
      const failures = (this.#failures.get(path) ?? 0) + 1;
      const status = error instanceof ApiError ? error.status : null;
      const isFinal = status !== null && status < 500 && !retried.has(status);
      const isForbidden = status === 401 || status === 403;
      if (isFinal || failures === (isForbidden ? 1 : loggedFailures))
        this.#log.warn('failed to update object status', { path, error });
      if (isFinal) this.#failures.delete(path);
      else {
        const limit = isForbidden || status === 404 ? maxRefusedDelay : maxDelay;
        unawaited(taskOf('sluice.providers.kubernetes'), this.#retry(path, makePatch, failures, limit));
      }
    }
  }

  /**
   * Puts a patch back in the queue after a delay, unless a newer patch for the object replaces it. Other objects can be patched in the
   * meantime.
   */
  async #retry(path: string, makePatch: MakePatch, failures: number, limit: number): Promise<void> {
    this.#failures.set(path, failures);
    const delay = Math.min(limit, firstDelay * 2 ** (failures - 1));
    await pause(delay * (0.5 + Math.random()), this.#signal);
    // A newer patch of the object is queued, in flight or complete.
    if (this.#failures.get(path) !== failures || this.#waiting.has(path) || this.#inFlight.has(path)) return;
    this.write(path, makePatch);
  }
}
