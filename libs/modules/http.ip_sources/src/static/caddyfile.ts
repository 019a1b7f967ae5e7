/** `static RANGE…` */
import { compact, expandRanges, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the ranges. */
export function readStatic(reader: Dispenser): Json {
  return compact({ ranges: expandRanges(reader.remaining()) });
}
