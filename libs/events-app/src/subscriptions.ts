/** Subscriptions, and the handler order for an event. */
import type { EventHandler } from './handler.ts';

/** Filter of a subscription; empty means all events. */
export interface Subscription {
  readonly events: readonly string[];
  /** Origins, including those below them: `tls` includes `tls.issuance.acme`. */
  readonly modules: readonly string[];
  readonly handlers: readonly EventHandler[];
}

/** Subscriptions of one app. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();

  add(subscription: Subscription): void {
    this.#all.add(subscription);
  }

  delete(subscription: Subscription): void {
    this.#all.delete(subscription);
  }

  /** Yields the handlers for an event: for `a.b.c`, then `a.b`, then `a`, and finally for any origin. */
  *handlersOf(origin: string, name: string): IterableIterator<EventHandler> {
    for (let at = origin; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) yield* this.#at(at, name);
    yield* this.#at(null, name);
  }

  /** Yields the handlers at one level. `null` is the root. */
  *#at(level: string | null, name: string): IterableIterator<EventHandler> {
    for (const { events, modules, handlers } of this.#all) {
      if (events.length > 0 && !events.includes(name)) continue;
      if (level === null ? modules.length > 0 && !modules.includes('') : !modules.includes(level)) continue;
      yield* handlers;
    }
  }
}
