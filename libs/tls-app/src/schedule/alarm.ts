/** Wakes whoever has things to do at certain times. */
import { guarded, longestTimer, taskOf } from '@sluice/base';

const never = Number.POSITIVE_INFINITY;

/** Calls a function at the earliest of the times that were set since it was called last. Keeps no process alive. */
export class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | null = null;
  #at = never;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Sets a time, in milliseconds since 1970. One that is too far away for a timer rings earlier. */
  set(at: number): void {
    if (at >= this.#at) return;
    this.stop();
    this.#at = at;
    const delay = Math.min(longestTimer, Math.max(0, at - Date.now()));
    const ring = guarded(taskOf('tls'), () => {
      this.stop();
      this.#ring();
    });
    this.#timer = setTimeout(ring, delay).unref();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#at = never;
  }
}
