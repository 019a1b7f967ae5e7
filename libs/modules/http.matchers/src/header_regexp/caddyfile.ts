/** Caddyfile syntax: `header_regexp [NAME] FIELD PATTERN` */
import { keyedRegexps } from '../common/matcher.ts';

export const headerRegexp = keyedRegexps(
  'header_regexp',
  'field',
  {
    help: 'Matches requests in which a header field matches a regular expression. Capture groups are available as `{re.<name>.1}` or `{re.1}`.',
    example: '@login header_regexp login Cookie login_([a-f0-9]+)\nrespond @login "{re.login.1}"',
  },
  (field) => `header_regexp matcher can only be used once per named matcher, per header field: ${field}`,
);
