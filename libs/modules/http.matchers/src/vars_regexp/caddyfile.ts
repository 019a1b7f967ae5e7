/** Caddyfile syntax: `vars_regexp [NAME] VARIABLE PATTERN` */
import { keyedRegexps } from '../common/matcher.ts';

export const varsRegexp = keyedRegexps('vars_regexp', 'variable', {
  help: 'Matches requests for which a variable or placeholder matches a regular expression.',
  example: '@old vars_regexp {header.User-Agent} MSIE\nrespond @old "please update"',
});
