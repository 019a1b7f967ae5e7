/** `multi_regexp { regexp PATTERN VALUE; … }` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the patterns. */
export function readMultiRegexp(reader: Dispenser): Json {
  const operations: Json[] = [];
  for (const option of reader.block()) {
    if (option !== 'regexp') throw reader.error(`unrecognized subdirective ${option}`);
    const regexp = reader.argument();
    operations.push(compact({ regexp, value: reader.argument() }));
  }
  if (operations.length === 0) throw reader.error('multi_regexp filter requires at least one regexp operation');
  return compact({ operations });
}
