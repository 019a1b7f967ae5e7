/**
 * Writes status to the API server: only the latest status of each object, with retries and a limited number of requests
 * in flight.
 */
import { taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { ApiError, type KubeClient } from './client.ts';
import { pause } from './reflector.ts';

/** Maximum number of patches in flight. Higher values cause timeouts on a busy API server. */
const maxInFlight = 8;
/** Delays after failures, in milliseconds. Each delay is twice the previous delay, plus a random part. */
const firstDelay = 250;
const maxDelay = 15_000;
/** Maximum delay after an error that usually persists, such as a missing permission. */
const maxRefusedDelay = 300_000;
/** Number of failures after which a warning is logged. */
const loggedFailures = 6;
/**
 * Status codes below 500 after which a patch is sent again: conflicts and throttling. An API server that is starting
 * also denies permissions and does not find objects. `MakePatch` returns `null` once the deletion of an object is
 * known.
 */
const retried: ReadonlySet<number> = new Set([401, 403, 404, 409, 429]);

/** Returns the patch to send now; `null` if the object does not need a patch. */
export type MakePatch = () => Json;

export class StatusWriter {
  readonly #client: KubeClient;
  readonly #log: Logger;
  readonly #isLeader: () => boolean;
  readonly #signal: AbortSignal;
  /** Patches that wait to be sent, by object path, in arrival order. */
  readonly #waiting = new Map<string, MakePatch>();
  readonly #inFlight = new Set<string>();
  /** Numbers of consecutive failures, by object path. */
  readonly #failures = new Map<string, number>();

  /** @param isLeader Reports whether this replica still writes status. Patches are discarded if not: the new leader writes them. */
  constructor(client: KubeClient, log: Logger, isLeader: () => boolean, signal: AbortSignal) {
    this.#client = client;
    this.#log = log;
    this.#isLeader = isLeader;
    this.#signal = signal;
  }

  /** Patches the status at a path soon. Replaces an unsent patch for the same path. */
  write(path: string, makePatch: MakePatch): void {
    this.#waiting.set(path, makePatch);
    this.#sendWaiting();
  }

  #sendWaiting(): void {
    for (const [path, makePatch] of this.#waiting) {
      if (this.#inFlight.size >= maxInFlight || this.#signal.aborted) return;
      // The next patch of the object is computed after this one completes.
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
        this.#log.warn('failed to write status', { path, error });
      if (isFinal) this.#failures.delete(path);
      else {
        const limit = isForbidden || status === 404 ? maxRefusedDelay : maxDelay;
        unawaited(taskOf('sluice.providers.kubernetes'), this.#retry(path, makePatch, failures, limit));
      }
    }
  }

  /**
   * Sends a patch again after a delay, unless a newer patch of the object replaces it. Meanwhile, other objects can be
   * patched.
   */
  async #retry(path: string, makePatch: MakePatch, failures: number, limit: number): Promise<void> {
    this.#failures.set(path, failures);
    const delay = Math.min(limit, firstDelay * 2 ** (failures - 1));
    await pause(delay * (0.5 + Math.random()), this.#signal);
    // A newer patch is waiting, in flight or complete.
    if (this.#failures.get(path) !== failures || this.#waiting.has(path) || this.#inFlight.has(path)) return;
    this.write(path, makePatch);
  }
}
