/** `vars_regexp [NAME] VARIABLE PATTERN` */
import { keyedRegexps } from '../common/regexp-words.ts';

export const varsRegexp = keyedRegexps('vars_regexp', {
  shown: ['[<name>] <variable> <regexp>'],
  help: 'Matches a variable or placeholder with a regular expression.',
  example: '@old vars_regexp {header.User-Agent} MSIE\nrespond @old "please update"',
});
