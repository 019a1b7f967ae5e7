/**
 * Header fields of a message, stored as a flat, ordered list with lowercase names. Messages have few fields, so a linear scan is faster
 * than hashing. Names are sent in canonical form (`X-Request-Id`), as in Caddy.
 */

/** Header fields of a request or response, or trailer fields. A field may have several values, one per line. */
export class HeaderMap {
  /** Lowercase names, one per field line. Only this class and the HTTP engines may modify the array. */
  readonly names: string[];
  /** Field values, at the same indexes as {@link names}. */
  readonly values: string[];

  /** Takes ownership of both arrays. The caller must not modify them afterwards. */
  constructor(names: string[] = [], values: string[] = []) {
    this.names = names;
    this.values = values;
  }

  get size(): number {
    return this.names.length;
  }

  /** Returns the field name of a line. The index must be below {@link size}. */
  nameAt(index: number): string {
    return lineOf(this.names, index);
  }

  /** Returns the field value of a line. The index must be below {@link size}. */
  valueAt(index: number): string {
    return lineOf(this.values, index);
  }

  /** Returns the first value of a field, or `undefined`. As in all methods, `name` must be lowercase. */
  get(name: string): string | undefined {
    const at = this.names.indexOf(name);
    return at < 0 ? undefined : this.values[at];
  }

  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** Returns all values of a field in order. The array is empty if the field is missing. */
  all(name: string): string[] {
    const found: string[] = [];
    for (const [i, value] of this.values.entries()) if (this.names[i] === name) found.push(value);
    return found;
  }

  /** Reports whether any value of a field satisfies the predicate. `context` is passed to the predicate. */
  someValue<C>(name: string, test: (value: string, context: C) => boolean, context: C): boolean {
    const { names, values } = this;
    for (let at = names.indexOf(name); at >= 0; at = names.indexOf(name, at + 1))
      if (test(lineOf(values, at), context)) return true;
    return false;
  }

  /** Joins all values of a field with a separator. Returns `undefined` if the field is missing. */
  joined(name: string, separator = ','): string | undefined {
    const at = this.names.indexOf(name);
    if (at < 0) return undefined;
    let text = this.valueAt(at);
    for (let i = at + 1; i < this.names.length; i++) if (this.names[i] === name) text += separator + this.valueAt(i);
    return text;
  }

  /** Replaces all values of a field with one value. */
  set(name: string, value: string): void {
    const at = this.names.indexOf(name);
    if (at < 0) {
      this.names.push(name);
      this.values.push(value);
      return;
    }
    this.values[at] = value;
    this.#deleteFrom(name, at + 1);
  }

  /** Replaces all values of a field. An empty list deletes the field. */
  setAll(name: string, values: readonly string[]): void {
    const [first, ...rest] = values;
    if (first === undefined) {
      this.delete(name);
      return;
    }
    this.set(name, first);
    for (const value of rest) this.append(name, value);
  }

  /** Adds a line. */
  append(name: string, value: string): void {
    this.names.push(name);
    this.values.push(value);
  }

  /** Deletes a field. Returns true if the field was present. */
  delete(name: string): boolean {
    const at = this.names.indexOf(name);
    if (at < 0) return false;
    this.#deleteFrom(name, at);
    return true;
  }

  deleteWhere(matches: (name: string) => boolean): void {
    for (let i = this.names.length - 1; i >= 0; i--) if (matches(this.nameAt(i))) this.#remove(i);
  }

  clear(): void {
    this.names.length = 0;
    this.values.length = 0;
  }

  /** Yields the name and value of each field line, in order. */
  *[Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    for (let i = 0; i < this.names.length; i++) yield [this.nameAt(i), this.valueAt(i)];
  }

  clone(): HeaderMap {
    return new HeaderMap(this.names.slice(), this.values.slice());
  }

  #deleteFrom(name: string, from: number): void {
    for (let i = this.names.length - 1; i >= from; i--) if (this.names[i] === name) this.#remove(i);
  }

  #remove(index: number): void {
    this.names.splice(index, 1);
    this.values.splice(index, 1);
  }
}

function lineOf(lines: readonly string[], index: number): string {
  const line = lines[index];
  if (line === undefined) throw new RangeError(`field line ${index} does not exist`);
  return line;
}
