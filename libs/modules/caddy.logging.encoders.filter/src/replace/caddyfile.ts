/** `replace TEXT` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the text. */
export function readReplace(reader: Dispenser): Json {
  return compact({ value: reader.nextArgument() ? reader.value : '' });
}
