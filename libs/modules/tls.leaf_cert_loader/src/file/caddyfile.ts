/** `file VALUE…` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the list. */
export function readFile(reader: Dispenser): Json {
  return compact({ files: reader.remaining() });
}
