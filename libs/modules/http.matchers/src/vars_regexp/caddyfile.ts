/** `vars_regexp [NAME] VARIABLE PATTERN` */
import type { Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { keyedRegexps } from '../common/keyed-regexps.ts';

/** Reads a regular expression for each variable. */
export function readVarsRegexp(reader: Dispenser): Json {
  return keyedRegexps(
    reader,
    'vars_regexp',
    (variable) => variable,
    () => undefined,
  );
}
