/** Context of a script. */
import type { Node } from '../json.ts';
import type { Scope } from '../scope.ts';
import type { Site } from '../site.ts';

export interface ScriptPlace {
  readonly site: Site;
  readonly scope: Scope;
  /** Returns handlers that leave the script and serve the request. */
  readonly leave: () => readonly Node[];
  /** Returns handlers that look up the location again after the path changed. */
  readonly again: () => readonly Node[];
  /** Returns the variable that marks an `if` which sets the content handler. */
  readonly branch: (scope: Scope) => string;
  /** Called after `rewrite` without a flag has changed the path. */
  readonly rewritten: () => readonly Node[];
}
