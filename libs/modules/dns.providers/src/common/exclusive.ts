/** Locks for values that can exist only once, such as the TXT record of a Duck DNS domain. */

/** A value that exists. */
interface Held {
  readonly value: string;
  /** Resolves when the value is released. */
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** Makes a value wait until the previous value with the same key is released, within this process. */
export class ExclusiveValues {
  readonly #held = new Map<string, Held>();

  /** Waits until the key is free, then acquires it. A value that already owns the key keeps it. */
  async take(key: string, value: string, signal: AbortSignal): Promise<void> {
    for (let held = this.#held.get(key); held !== undefined; held = this.#held.get(key)) {
      if (held.value === value) return;
      await settled(held.released, signal);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(key, { value, released: promise, release: resolve });
  }

  /** Releases the key, if this value holds it. */
  release(key: string, value: string): void {
    const held = this.#held.get(key);
    if (held?.value !== value) return;
    this.#held.delete(key);
    held.release();
  }
}

async function settled(released: Promise<void>, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason as Error);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([released, promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
