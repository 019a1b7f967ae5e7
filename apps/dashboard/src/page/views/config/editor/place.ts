/** What the editor shows a part of. */
import type { Json, Path } from '../../../base/json.ts';

/** Where in the configuration the text stands. */
export interface EditorPlace {
  readonly document: Json | undefined;
  readonly path: Path;
}
