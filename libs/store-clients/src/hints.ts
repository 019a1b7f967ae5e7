/** Who listens to which channel of a store. What comes on it is a hint to look, so that one too many does no harm. */
export class Hints {
  readonly #listeners = new Map<string, Set<() => void>>();

  /** Channels that someone listens to. */
  get channels(): Iterable<string> {
    return this.#listeners.keys();
  }

  /** Returns what ends it. */
  listen(channel: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(channel);
    };
  }

  /** Something came on a channel. */
  notify(channel: string): void {
    for (const listener of this.#listeners.get(channel) ?? []) listener();
  }

  /** Something may have come on all of them: the connection was lost. */
  notifyAll(): void {
    for (const channel of this.#listeners.keys()) this.notify(channel);
  }
}
