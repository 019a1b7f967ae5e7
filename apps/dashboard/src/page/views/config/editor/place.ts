/** Location of the edited text in the configuration. */
import type { Json, Path } from '../../../base/json.ts';

/** The configuration, with the path of the edited text. */
export interface EditorPlace {
  readonly document: Json | undefined;
  readonly path: Path;
}
