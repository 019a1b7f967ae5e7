/** Positions in a document at which modules are provisioned. */
import type { Segment } from '@sluice/registry';
import type { Provided } from './component.ts';

/** Position of a context and the values provided there. It contains no references to components. */
export interface Position {
  /** Position of the host; `null` for apps and sections. */
  readonly above: Position | null;
  readonly at: readonly Segment[];
  provided: Provided | null;
}

/** Returns the path of a position from the document root. */
export function pathOf({ above, at }: Position): readonly Segment[] {
  return above === null ? at : [...pathOf(above), ...at];
}
