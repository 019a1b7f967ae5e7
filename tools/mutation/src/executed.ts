/** Evaluates V8 coverage data. */

/** Execution count of a range in a script. The smallest range around an offset determines the count. */
export interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

export function isExecuted(ranges: readonly Range[], offset: number): boolean {
  let innermost: Range | undefined;
  for (const range of ranges) {
    if (range.startOffset > offset || range.endOffset <= offset) continue;
    const width = range.endOffset - range.startOffset;
    if (innermost === undefined || width <= innermost.endOffset - innermost.startOffset) innermost = range;
  }
  return innermost !== undefined && innermost.count > 0;
}
