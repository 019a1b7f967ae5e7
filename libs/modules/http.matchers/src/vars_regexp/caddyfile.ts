/** `vars_regexp [NAME] VARIABLE PATTERN` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/registry';
import { keyedRegexps } from '../common/keyed-regexps.ts';

/** Reads a regular expression for each variable. */
export function readVarsRegexp(reader: Dispenser): Json {
  const once = (field: string, known: boolean): void => {
    if (known)
      throw reader.error(`vars_regexp matcher can only be used once per named matcher, per variable: ${field}`);
  };
  return keyedRegexps(reader, 'vars_regexp', (variable) => variable, once);
}
