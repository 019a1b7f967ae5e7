/** Path patterns of nginx locations. */

export interface Requirement {
  readonly pattern: string;
  readonly not: boolean;
}

/** Type of path comparison, determined by the modifier after `location`. */
export type LocationKind = 'exact' | 'preferred' | 'prefix' | 'regex' | 'named';

export interface LocationPath {
  readonly kind: LocationKind;
  /** A path, prefix, RE2 regular expression, or location name with `@`. */
  readonly text: string;
  /** Additional regular expressions that the path must match or must not match. */
  readonly requirements?: readonly Requirement[];
}
