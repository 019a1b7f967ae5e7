/** `cookie [NAME [SECRET]] { fallback POLICY; max_age TIME }` */
import { compact, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readFallback } from '../../common/fallback-syntax.ts';

/** Reads the name of the cookie. */
export function readCookie(reader: Dispenser): Json {
  const [name, secret, ...more] = reader.remaining();
  if (more.length > 0) throw reader.argumentError();
  let maxAge = 0;
  const fallback = readFallback(reader, (option) => {
    if (option !== 'max_age') return false;
    const text = reader.argument();
    if (maxAge !== 0) throw reader.error('cookie max_age already specified');
    maxAge = readDuration(reader, text, option);
    if (maxAge <= 0) throw reader.error(`invalid duration value for max_age, must be greater than 0: ${text}`);
    return true;
  });
  return compact({ name, secret, ...fallback, max_age: maxAge });
}
