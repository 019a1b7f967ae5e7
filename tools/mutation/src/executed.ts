/** What V8's coverage says of a place. */

/** How often V8 counted a part of a script. The smallest range that holds a place is the one that counts. */
export interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

/** Whether a place was executed. */
export function isExecuted(ranges: readonly Range[], offset: number): boolean {
  let innermost: Range | undefined;
  for (const range of ranges) {
    if (range.startOffset > offset || range.endOffset <= offset) continue;
    const width = range.endOffset - range.startOffset;
    if (innermost === undefined || width <= innermost.endOffset - innermost.startOffset) innermost = range;
  }
  return innermost !== undefined && innermost.count > 0;
}
