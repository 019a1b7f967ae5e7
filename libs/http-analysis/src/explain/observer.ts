/**
 * Tracks reads during an explanation. A decision or value that depends on an unknown request property becomes unknown too. For example, a
 * variable is unknown if it contains an unknown client address.
 */
import type { Json } from '@sluice/base';
import type { Frame } from './frame.ts';
import { shown } from '@sluice/http-app';

/** Maximum length of a displayed value, in characters. */
const maxValueLength = 300;

/** Records the reads of the running matcher or handler. Each evaluation path has a separate observer. */
export class Observer {
  /** Values derived from unknown request properties. Each value is stored with the properties that it depends on. */
  readonly #tainted = new Map<string, ReadonlySet<string>>();
  /** All unknown request properties that have been read so far. */
  readonly unknown = new Set<string>();
  #frame: Frame | null = null;

  /** Called when a matcher or handler begins. Returns the enclosing frame, which must be passed to {@link leave}. */
  enter(frame: Frame): Frame | null {
    const outer = this.#frame;
    this.#frame = frame;
    return outer;
  }

  /** Called when a matcher or handler ends or calls the next handler. If it has read unknown request properties, its changes become unknown. */
  leave(frame: Frame, outer: Frame | null): void {
    this.#frame = outer;
    for (const key of frame.changed.keys())
      if (frame.unknown.size > 0) this.#tainted.set(key, frame.unknown);
      else this.#tainted.delete(key);
  }

  /** Stops observing until the next matcher or handler begins. */
  pause(): void {
    this.#frame = null;
  }

  /** Records that a fact was read. `isGiven` is true if the client provided the fact. */
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

/** Converts a value to JSON for display. */
function plain(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'function') return '(when requested)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined ? null : text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}
