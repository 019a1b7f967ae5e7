/**
 * What is looked at while a request is explained, and what is known of it. An unknown fact makes unknown what was decided by
 * it, and what was made of it: a variable that holds the address of a client is as unknown as that is.
 */
import type { Json } from '@sluice/base';
import type { Frame } from './frame.ts';
import { shown } from '@sluice/http-app';

/** Values longer than this are cut where they are shown. */
const longestValue = 300;

/** Keeps what the matcher or handler that runs has looked at. One for each path of an explanation. */
export class Observer {
  /** What was made of unknown facts, and of which. */
  readonly #tainted = new Map<string, ReadonlySet<string>>();
  /** All unknown facts that were looked at so far. */
  readonly unknown = new Set<string>();
  #frame: Frame | null = null;

  /** A matcher or handler begins. It gives what was before, for {@link leave}. */
  enter(frame: Frame): Frame | null {
    const outer = this.#frame;
    this.#frame = frame;
    return outer;
  }

  /** It ends, or passes on: what it changed is as unknown as what it looked at. */
  leave(frame: Frame, outer: Frame | null): void {
    this.#frame = outer;
    for (const key of frame.changed.keys())
      if (frame.unknown.size > 0) this.#tainted.set(key, frame.unknown);
      else this.#tainted.delete(key);
  }

  /** Stops observing until the next part begins. */
  pause(): void {
    this.#frame = null;
  }

  /** A fact that the client of the explanation has given, or not. */
  fact(name: string, isGiven: boolean): void {
    if (isGiven) {
      if (this.#frame !== null) this.#frame.given = true;
      return;
    }
    this.unknown.add(name);
    this.#frame?.unknown.add(name);
  }

  /** A part of the request is looked at. */
  read(key: string, value: unknown): void {
    const frame = this.#frame;
    for (const fact of this.#tainted.get(key) ?? []) {
      this.unknown.add(fact);
      frame?.unknown.add(fact);
    }
    if (frame === null) return;
    frame.got.set(key, shown(key, plain(value)));
  }

  /** A part of the request is changed. */
  change(key: string, before: unknown, after: unknown): void {
    if (before === after) return;
    this.#frame?.change(key, shown(key, plain(before)), shown(key, plain(after)));
  }

  /** Says that a part of the request is unknown from the beginning. */
  taint(key: string, fact: string): void {
    this.#tainted.set(key, new Set([fact]));
  }
}

/** A value as it is shown. */
function plain(value: unknown): Json {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'function') return '(when it is asked for)';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text === undefined ? null : text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}
