/** Capture groups of a regular expression match. */
export interface Captures {
  /** Returns a capture group by number or name. Returns `undefined` if the expression has no such group. */
  group(key: string): string | undefined;
}
