/**
 * Tracks reads during an explanation. Decisions and values that depend on an unknown fact become unknown, such as a
 * variable that contains the client address.
 */
import type { Json } from '@sluice/base';
import type { Frame } from './frame.ts';
import { shown } from '@sluice/http-app';

/** Maximum length of a displayed value. */
const maxValueLength = 300;

/** Records the reads of the running matcher or handler. There is one observer per path of an explanation. */
export class Observer {
  /** Values derived from unknown facts, with these facts. */
  readonly #tainted = new Map<string, ReadonlySet<string>>();
  /** All unknown facts read so far. */
  readonly unknown = new Set<string>();
  #frame: Frame | null = null;

  /** Called when a matcher or handler begins. Returns the outer frame, for {@link leave}. */
  enter(frame: Frame): Frame | null {
    const outer = this.#frame;
    this.#frame = frame;
    return outer;
  }

  /**
   * Called when the handler or matcher ends or calls the next one. If it read unknown facts, its changes are unknown.
   */
  leave(frame: Frame, outer: Frame | null): void {
    this.#frame = outer;
    for (const key of frame.changed.keys())
      if (frame.unknown.size > 0) this.#tainted.set(key, frame.unknown);
      else this.#tainted.delete(key);
  }

  /** Stops observing until the next handler or matcher begins. */
  pause(): void {
    this.#frame = null;
  }

  /** Records that a fact was read, and whether the client provided it. */
  fact(name: string, isGiven: boolean): void {
    if (isGiven) {
      if (this.#frame !== null) this.#frame.given = true;
      return;
    }
    this.unknown.add(name);
    this.#frame?.unknown.add(name);
  }

  /** Records that a part of the request was read. */
  read(key: string, value: unknown): void {
    const frame = this.#frame;
    for (const fact of this.#tainted.get(key) ?? []) {
      this.unknown.add(fact);
      frame?.unknown.add(fact);
    }
    if (frame === null) return;
    frame.got.set(key, shown(key, plain(value)));
  }

  /** Records that a part of the request was changed. */
  change(key: string, before: unknown, after: unknown): void {
    if (before === after) return;
    this.#frame?.change(key, shown(key, plain(before)), shown(key, plain(after)));
  }

  /** Marks a part of the request as unknown from the beginning. */
  taint(key: string, fact: string): void {
    this.#tainted.set(key, new Set([fact]));
  }
}

/** Returns a value for display. */
function plain(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'function') return '(when requested)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined ? null : text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
