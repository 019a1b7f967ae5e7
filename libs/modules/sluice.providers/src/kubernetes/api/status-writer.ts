/** Writes status to the API server: only the latest status of each object, with retries and a limited number of concurrent requests. */
import { taskOf, unawaited, type Json, type Logger } from '@sluice/base';
import { ApiError, type KubeClient } from './client.ts';
import { pause } from './reflector.ts';

/** Maximum number of patches in flight. Higher values cause timeouts on a busy API server. */
const maxInFlight = 8;
const maxAttempts = 6;
const firstDelay = 250;

/** Returns the patch to send now; `null` if the object does not need a patch. */
export type MakePatch = () => Json;

export class StatusWriter {
  readonly #client: KubeClient;
  readonly #log: Logger;
  readonly #signal: AbortSignal;
  /** Patches that wait to be sent, by object path, in arrival order. */
  readonly #waiting = new Map<string, MakePatch>();
  readonly #inFlight = new Set<string>();

  constructor(client: KubeClient, log: Logger, signal: AbortSignal) {
    this.#client = client;
    this.#log = log;
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
      // The next patch of the object is computed after this patch completes.
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
    for (let attempt = 1; !this.#signal.aborted; attempt++) {
      const patch = (this.#waiting.get(path) ?? makePatch)();
      this.#waiting.delete(path);
      if (patch === null) return;
      try {
        await this.#client.mergePatch(path, patch, this.#signal);
        return;
      } catch (error) {
        if (this.#signal.aborted || (error instanceof ApiError && error.status === 404)) return;
        if (attempt === maxAttempts || !isTransient(error)) {
          this.#log.warn('failed to write status', { path, error });
          return;
        }
        await pause(firstDelay * 2 ** (attempt - 1) * (0.5 + Math.random()), this.#signal);
      }
    }
  }
}

/** Conflicts, throttling, server errors and lost connections can succeed later. */
function isTransient(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 409 || error.status === 429 || error.status >= 500;
}
