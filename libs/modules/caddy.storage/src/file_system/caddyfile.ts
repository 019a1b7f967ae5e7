/** `file_system [PATH] { root PATH }` */
import { compact, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads the folder. */
export function readFileSystem(reader: Dispenser): Json {
  let root = reader.optionalArgument() ?? '';
  for (const option of reader.block()) {
    if (option !== 'root') throw reader.error(`unrecognized parameter '${option}'`);
    if (root !== '') throw reader.error('storage root already set');
    root = reader.onlyArgument();
  }
  if (root === '') throw reader.error('missing root path');
  return compact({ root });
}
