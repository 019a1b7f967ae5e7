/** Subscriptions to channels of a store. Notifications are only hints to check the store, so spurious ones are harmless. */
export class Hints {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Channels with subscribers. */
  get channels(): Iterable<string> {
    return this.#listeners.keys();
  }

  /** Returns a function that unsubscribes. */
  listen(channel: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(channel);
    };
  }

  notify(channel: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener();
  }

  /** Notifies all subscribers. This is necessary after a lost connection, because any channel may have changed. */
  notifyAll(): void {
    for (const channel of this.#listeners.keys()) this.notify(channel);
  }
}
