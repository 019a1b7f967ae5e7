/** `folder VALUE…` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the list. */
export function readFolder(reader: Dispenser): Json {
  return compact({ folders: reader.remaining() });
}
