/** `http URL` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the address. */
export function readHttp(reader: Dispenser): Json {
  return { url: reader.onlyArgument() };
}
