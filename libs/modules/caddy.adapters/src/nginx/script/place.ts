/** Context in which a script is translated. */
import type { Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';

export interface ScriptPlace {
  readonly site: Site;
  readonly scope: Scope;
  /** Returns handlers that end the script and serve the request. */
  readonly leave: () => readonly Node[];
  /** Returns handlers that select the location again after the path has changed. */
  readonly again: () => readonly Node[];
  /** Returns the name of the variable for an `if` that sets the content handler. The variable is set if the condition matched. */
  readonly branch: (scope: Scope) => string;
  /** Called after a `rewrite` without a flag has been translated. Returns handlers for the changed path. */
  readonly rewritten: () => readonly Node[];
}
