/** The paths that a location is for. */

/** Another expression that a text must match, or must not, beside the main one. */
export interface Requirement {
  readonly pattern: string;
  readonly not: boolean;
}

/** How a location compares the path: the sign after `location`. */
export type LocationKind = 'exact' | 'preferred' | 'prefix' | 'regex' | 'named';

/** The paths of a location. */
export interface LocationPath {
  readonly kind: LocationKind;
  /** The path, its beginning, the expression in RE2's syntax, or the name with its `@`. */
  readonly text: string;
  /** Expressions that the path must match as well, or must not. */
  readonly requirements?: readonly Requirement[];
}
