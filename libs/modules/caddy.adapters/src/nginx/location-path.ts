/** nginx locations, with their paths and content. */
import type { Scope } from './scope.ts';
import type { LocationPath } from './paths.ts';
import type { Directive } from './syntax/directive.ts';

export type { LocationKind, LocationPath } from './paths.ts';

export interface Location {
  readonly path: LocationPath;
  readonly directive: Directive;
  readonly scope: Scope;
  /** Name under which the captures of the regular expression are available, or `null` if there is no regular expression. */
  readonly captures: string | null;
  /** Nested locations. */
  readonly inner: readonly Location[];
}
