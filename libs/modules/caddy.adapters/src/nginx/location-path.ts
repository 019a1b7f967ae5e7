/** Locations with their paths and content. */
import type { Scope } from './scope.ts';
import type { LocationPath } from './paths.ts';
import type { Directive } from './syntax/directive.ts';

export type { LocationKind, LocationPath } from './paths.ts';

export interface Location {
  readonly path: LocationPath;
  readonly directive: Directive;
  readonly scope: Scope;
  /** Name of the expression's captures, or `null` if none exists. */
  readonly captures: string | null;
  /** Nested locations. */
  readonly inner: readonly Location[];
}
