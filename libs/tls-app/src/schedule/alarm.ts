/** Timer for work that is scheduled at an absolute time. */
import { guarded, maxTimer, taskOf } from '@sluice/base';

const never = Number.POSITIVE_INFINITY;

/** Calls a function at the earliest time that was set since the last call. Does not keep the process alive. */
export class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | null = null;
  #at = never;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  /** Sets a time in milliseconds since the Unix epoch. If a timer cannot wait that long, the function is called earlier. */
  set(at: number): void {
    if (at >= this.#at) return;
    this.stop();
    this.#at = at;
    const delay = Math.min(maxTimer, Math.max(0, at - Date.now()));
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
