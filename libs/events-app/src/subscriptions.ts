/** Who is subscribed to what, and the order in which an event reaches them. */
import type { EventHandler } from './handler.ts';

/** What handlers are subscribed to. Nothing named: everything. */
export interface Subscription {
  /** Names of events. */
  readonly events: readonly string[];
  /** Origins; one covers those below it: `tls` also `tls.issuance.acme`. */
  readonly modules: readonly string[];
  readonly handlers: readonly EventHandler[];
}

/** The subscriptions of one app. */
export class Subscriptions {
  readonly #all = new Set<Subscription>();

  add(subscription: Subscription): void {
    this.#all.add(subscription);
  }

  delete(subscription: Subscription): void {
    this.#all.delete(subscription);
  }

  /** The handlers of an event: `a.b.c`, then `a.b`, then `a`, then those who did not care where from. */
  *handlersOf(origin: string, name: string): IterableIterator<EventHandler> {
    for (let at = origin; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) yield* this.#at(at, name);
    yield* this.#at(null, name);
  }

  /** The handlers of one level; `null` is the root. */
  *#at(level: string | null, name: string): IterableIterator<EventHandler> {
    for (const { events, modules, handlers } of this.#all) {
      if (events.length > 0 && !events.includes(name)) continue;
      if (level === null ? modules.length > 0 && !modules.includes('') : !modules.includes(level)) continue;
      yield* handlers;
    }
  }
}
