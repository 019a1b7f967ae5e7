/** Locations: which paths they are for, and what stands in them. */
import type { Scope } from './scope.ts';
import type { Directive } from './syntax/directive.ts';

/** How a location compares the path: the sign after `location`. */
export type LocationKind = 'exact' | 'preferred' | 'prefix' | 'regex' | 'named';

/** The paths of a location. */
export interface LocationPath {
  readonly kind: LocationKind;
  /** The path, its beginning, the expression in RE2's syntax, or the name with its `@`. */
  readonly text: string;
}

/** A block `location`. */
export interface Location {
  readonly path: LocationPath;
  readonly directive: Directive;
  readonly scope: Scope;
  /** Name of the captures of its expression; `null` where it has none. */
  readonly captures: string | null;
  /** Locations within it. */
  readonly inner: readonly Location[];
}
