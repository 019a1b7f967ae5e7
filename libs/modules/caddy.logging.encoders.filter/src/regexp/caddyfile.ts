/** `regexp PATTERN VALUE` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the pattern and what replaces it. */
export function readRegexp(reader: Dispenser): Json {
  const [regexp = '', value = ''] = reader.remaining();
  return compact({ regexp, value });
}
