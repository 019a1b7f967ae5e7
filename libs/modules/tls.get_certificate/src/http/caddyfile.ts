/** `http URL` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the address. */
export function readHttp(reader: Dispenser): Json {
  const url = reader.onlyArgument();
  if (reader.nextInBlock(reader.nesting)) throw reader.error('block not allowed here');
  return compact({ url });
}
