/** Captures of a regular expression. */
export interface Captures {
  /** Returns a group by number or name; `undefined` if the expression has no such group. */
  group(key: string): string | undefined;
}
