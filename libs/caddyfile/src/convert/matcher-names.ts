/** Names of matchers, and which of them a block can use. */
import { isArray, isObject, jsonEqual, type Json, type JsonObject } from '@sluice/base';

/** The named matchers of a block and of those around it. */
export class MatcherNames {
  readonly #outer: MatcherNames | null;
  readonly #inner: MatcherNames[] = [];
  readonly #sets = new Map<string, Json>();

  constructor(outer: MatcherNames | null = null) {
    this.#outer = outer;
    if (outer !== null) outer.#inner.push(this);
  }

  /** The name of an equal set in the very block: each block can be read by itself. */
  nameOf(set: Json): string | null {
    for (const [name, known] of this.#sets) if (jsonEqual(known, set)) return name;
    return null;
  }

  /** Takes a name for a set: one that its options ask for, or one that says what it matches. */
  take(set: JsonObject): string {
    const asked = askedName(set);
    const base = asked ?? (Object.keys(set)[0] ?? 'matcher').replaceAll(/\W/g, '_');
    let name = base;
    for (let number = 2; this.#has(name); number++) name = `${base}${number}`;
    this.#sets.set(name, set);
    return name;
  }

  /** Gives back the name of a set that needs none after all. */
  release(set: Json): void {
    const name = this.nameOf(set);
    if (name !== null) this.#sets.delete(name);
  }

  /** A block can't define what one around it defines. */
  #has(name: string): boolean {
    return this.#hasInside(name) || this.#hasOutside(name);
  }

  #hasOutside(name: string): boolean {
    return this.#outer !== null && (this.#outer.#sets.has(name) || this.#outer.#hasOutside(name));
  }

  #hasInside(name: string): boolean {
    return this.#sets.has(name) || this.#inner.some((each) => each.#hasInside(name));
  }
}

/** Regular expressions and expressions carry the name of the matcher they were written in. */
function askedName(value: Json): string | null {
  if (isArray(value)) return firstName(value);
  if (!isObject(value)) return null;
  const { name } = value;
  if (typeof name === 'string' && ('pattern' in value || 'expr' in value)) return name;
  return firstName(Object.values(value));
}

function firstName(values: readonly Json[]): string | null {
  for (const each of values) {
    const name = askedName(each);
    if (name !== null && /^[\w.-]+$/.test(name)) return name;
  }
  return null;
}
