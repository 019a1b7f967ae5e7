/** `url URL` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the address. */
export function readUrl(reader: Dispenser): Json {
  return { url: reader.argument() };
}
