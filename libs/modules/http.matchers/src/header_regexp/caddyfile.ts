/** `header_regexp [NAME] FIELD PATTERN` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { keyedRegexps } from '../common/keyed-regexps.ts';

/** Reads a regular expression for each field. */
export function readHeaderRegexp(reader: Dispenser): Json {
  const once = (field: string, known: boolean): void => {
    if (known) {
      throw reader.error(`header_regexp matcher can only be used once per named matcher, per header field: ${field}`);
    }
  };
  return keyedRegexps(reader, 'header_regexp', (field) => field, once);
}
