/** `folder VALUE…` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the list. */
export function readFolder(reader: Dispenser): Json {
  return { folders: reader.arguments() };
}
