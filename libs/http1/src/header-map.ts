/**
 * Header fields of a message: flat, ordered, names in lower case. They are few, so a scan beats a hash; on the wire names
 * are written in canonical form (`X-Request-Id`), as the reference writes them.
 */

/** Header fields of a request, a response, or trailers. A field may have several values (lines). */
export class HeaderMap {
  /** Lower-case names, one per line. Read-only for others than this class and the engines. */
  readonly names: string[];
  /** Values, parallel to {@link names}. */
  readonly values: string[];

  /** Takes over two lists, which no one else may change then. */
  constructor(names: string[] = [], values: string[] = []) {
    this.names = names;
    this.values = values;
  }

  /** How many lines there are. */
  get size(): number {
    return this.names.length;
  }

  /** The first value of a field, or `undefined`. `name` is in lower case, here and below. */
  get(name: string): string | undefined {
    const at = this.names.indexOf(name);
    return at < 0 ? undefined : this.values[at];
  }

  /** Whether the field is there. */
  has(name: string): boolean {
    return this.names.includes(name);
  }

  /** All values of a field, in order; empty if it is not there. */
  all(name: string): string[] {
    const found: string[] = [];
    for (let i = 0; i < this.names.length; i++) if (this.names[i] === name) found.push(this.values[i] as string);
    return found;
  }

  /** Whether a value of a field passes a test, which also gets `context`. */
  someValue<C>(name: string, test: (value: string, context: C) => boolean, context: C): boolean {
    const { names, values } = this;
    for (let at = names.indexOf(name); at >= 0; at = names.indexOf(name, at + 1))
      if (test(values[at] as string, context)) return true;
    return false;
  }

  /** All values of a field with a separator between them, or `undefined` if it is not there. */
  joined(name: string, separator = ','): string | undefined {
    const at = this.names.indexOf(name);
    if (at < 0) return undefined;
    let text = this.values[at] as string;
    for (let i = at + 1; i < this.names.length; i++)
      if (this.names[i] === name) text += separator + (this.values[i] as string);
    return text;
  }

  /** Replaces all values of a field by one. */
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

  /** Replaces all values of a field; no values delete it. */
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

  /** Removes a field. Returns whether it was there. */
  delete(name: string): boolean {
    const at = this.names.indexOf(name);
    if (at < 0) return false;
    this.#deleteFrom(name, at);
    return true;
  }

  /** Removes every field whose name satisfies a predicate. */
  deleteWhere(matches: (name: string) => boolean): void {
    for (let i = this.names.length - 1; i >= 0; i--) if (matches(this.names[i] as string)) this.#remove(i);
  }

  /** Removes all fields. */
  clear(): void {
    this.names.length = 0;
    this.values.length = 0;
  }

  /** Name and value of each line, in order. */
  *[Symbol.iterator](): IterableIterator<[name: string, value: string]> {
    for (let i = 0; i < this.names.length; i++) yield [this.names[i] as string, this.values[i] as string];
  }

  /** A copy that can be changed on its own. */
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
