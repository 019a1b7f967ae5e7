/** Event subscriptions, and the order in which the handlers of an event run. */
import type { EventHandler } from './handler.ts';

/** Event filter of a subscription. Empty lists select all events. */
export interface Subscription {
  readonly events: readonly string[];
  /** Origins to include, together with all origins below them. For example, `tls` includes `tls.issuance.acme`. */
  readonly modules: readonly string[];
  readonly handlers: readonly EventHandler[];
}

/** Event subscriptions of one `events` app. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();

  add(subscription: Subscription): void {
    this.#all.add(subscription);
  }

  delete(subscription: Subscription): void {
    this.#all.delete(subscription);
  }

  /**
   * Yields the handlers for an event in order. For the origin `a.b.c`, handlers for `a.b.c` come first. Handlers for `a.b`, for `a`, and
   * for any origin follow.
   */
  *handlersOf(origin: string, name: string): IterableIterator<EventHandler> {
    for (let at = origin; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) yield* this.#at(at, name);
    yield* this.#at(null, name);
  }

  /** Yields the handlers for one level of the origin. `null` is the level for any origin. */
  *#at(level: string | null, name: string): IterableIterator<EventHandler> {
    for (const { events, modules, handlers } of this.#all) {
      if (events.length > 0 && !events.includes(name)) continue;
      if (level === null ? modules.length > 0 && !modules.includes('') : !modules.includes(level)) continue;
      yield* handlers;
    }
  }
}
