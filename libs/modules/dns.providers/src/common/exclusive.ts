/** Locks for resources that can have only one value at a time, such as the TXT record of a Duck DNS domain. */

/** A value that currently owns its key. */
interface Held {
  readonly value: string;
  /** Resolves when the key is released. */
  readonly released: Promise<void>;
  readonly release: () => void;
}

/** Ensures that each key has only one value at a time within this process. A new value waits until the previous one is released. */
export class ExclusiveValues {
  readonly #held = new Map<string, Held>();

  /** Waits until the key is free, and acquires the key for a value. Returns immediately if the value already owns the key. */
  async take(key: string, value: string, signal: AbortSignal): Promise<void> {
    for (let held = this.#held.get(key); held !== undefined; held = this.#held.get(key)) {
      if (held.value === value) return;
      await settled(held.released, signal);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held.set(key, { value, released: promise, release: resolve });
  }

  /** Releases the key if the value owns it. */
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
