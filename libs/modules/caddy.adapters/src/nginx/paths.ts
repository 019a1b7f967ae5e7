/** Paths of a location. */

/** An additional expression that a string must or must not match. */
export interface Requirement {
  readonly pattern: string;
  readonly not: boolean;
}

/** Comparison mode of a location, from the modifier after `location`. */
export type LocationKind = 'exact' | 'preferred' | 'prefix' | 'regex' | 'named';

export interface LocationPath {
  readonly kind: LocationKind;
  /** Path, prefix, RE2 expression, or name with `@`. */
  readonly text: string;
  /** Additional expressions that the path must or must not match. */
  readonly requirements?: readonly Requirement[];
}
