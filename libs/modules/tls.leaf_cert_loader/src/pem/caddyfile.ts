/** `pem VALUE…` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the list. */
export function readPem(reader: Dispenser): Json {
  return compact({ certificates: reader.remaining() });
}
