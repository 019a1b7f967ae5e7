/** Where a script runs. */
import type { Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';

/** What a script is told of the place it stands in. */
export interface ScriptPlace {
  readonly site: Site;
  readonly scope: Scope;
  /** Handlers that leave the script for what serves the request. */
  readonly leave: () => readonly Node[];
  /** Handlers that look for a location again, as the path was changed. */
  readonly again: () => readonly Node[];
  /** An `if` that says what serves the request: gives the variable that marks that it was so. */
  readonly branch: (scope: Scope) => string;
  /** Called where a `rewrite` without a flag has changed the path. */
  readonly rewritten: () => readonly Node[];
}
