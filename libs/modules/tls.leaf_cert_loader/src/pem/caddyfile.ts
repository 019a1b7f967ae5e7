/** `pem VALUE…` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the list. */
export function readPem(reader: Dispenser): Json {
  return { certificates: reader.arguments() };
}
