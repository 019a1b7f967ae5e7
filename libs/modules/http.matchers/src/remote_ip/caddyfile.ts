/** `remote_ip RANGE…` */
import { compact, expandRanges, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine, refuseBlock } from '../common/words.ts';

/** Reads the ranges. */
export function readRemoteIp(reader: Dispenser): Json {
  const ranges: string[] = [];
  eachLine(reader, () => {
    const words = reader.remaining();
    if (words.includes('forwarded')) {
      throw reader.error("the 'forwarded' option is no longer supported; use the 'client_ip' matcher instead");
    }
    ranges.push(...expandRanges(words));
    refuseBlock(reader, 'remote_ip');
  });
  return compact({ ranges });
}
