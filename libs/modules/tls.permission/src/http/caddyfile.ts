/** `http URL`, `http { endpoint URL }` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the address. */
export function readHttp(reader: Dispenser): Json {
  let endpoint = reader.optionalArgument();
  for (const option of reader.block()) {
    if (option !== 'endpoint') throw reader.error(`unrecognized subdirective '${option}'`);
    endpoint = reader.onlyArgument();
  }
  if (endpoint === null) throw reader.argumentError();
  return { endpoint };
}
