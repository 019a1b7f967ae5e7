/** Locations: which paths they are for, and what stands in them. */
import type { Scope } from './scope.ts';
import type { LocationPath } from './paths.ts';
import type { Directive } from './syntax/directive.ts';

export type { LocationKind, LocationPath } from './paths.ts';

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
