/** What a regular expression captured. */
export interface Captures {
  /** A group by number or name; `undefined` if the expression has no such group. */
  group(key: string): string | undefined;
}
