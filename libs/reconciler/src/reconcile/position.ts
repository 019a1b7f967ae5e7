/** Positions of provisions in a document. */
import type { Segment } from '@sluice/registry';
import type { Provided } from './component.ts';

/** A context position and the values provided there, without references to components. */
export interface Position {
  /** Position of the host; `null` for apps and sections. */
  readonly above: Position | null;
  readonly at: readonly Segment[];
  provided: Provided | null;
}

/** Returns the path from the document root. */
export function pathOf({ above, at }: Position): readonly Segment[] {
  return above === null ? at : [...pathOf(above), ...at];
}
