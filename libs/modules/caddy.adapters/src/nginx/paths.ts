/** Paths of a location. */

export interface Requirement {
  readonly pattern: string;
  readonly not: boolean;
}

/** How a location is compared, from the modifier after `location`. */
export type LocationKind = 'exact' | 'preferred' | 'prefix' | 'regex' | 'named';

export interface LocationPath {
  readonly kind: LocationKind;
  /** Path, prefix, RE2 expression, or name with `@`. */
  readonly text: string;
  /** Additional expressions that the path must or must not match. */
  readonly requirements?: readonly Requirement[];
}
