/** `rename TEXT` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the text. */
export function readRename(reader: Dispenser): Json {
  return compact({ name: reader.nextArgument() ? reader.value : '' });
}
