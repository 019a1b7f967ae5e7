/**
 * Subscriptions to a store's notification channels. A notification is only a hint to check the store, so spurious notifications are
 * harmless.
 */
export class Hints {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Channels with subscribers. */
  get channels(): Iterable<string> {
    return this.#listeners.keys();
  }

  /** Subscribes to a channel. Returns a function that unsubscribes. */
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

  /** Notifies all subscribers. Called after a connection was lost, because any channel may have changed. */
  notifyAll(): void {
    for (const channel of this.#listeners.keys()) this.notify(channel);
  }
}
