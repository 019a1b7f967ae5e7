/** `client_ip RANGE…` */
import { compact, expandRanges, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine, refuseBlock } from '../common/words.ts';

/** Reads the ranges. */
export function readClientIp(reader: Dispenser): Json {
  const ranges: string[] = [];
  eachLine(reader, () => {
    ranges.push(...expandRanges(reader.remaining()));
    refuseBlock(reader, 'client_ip');
  });
  return compact({ ranges });
}
