/** Caddyfile syntax: `header FIELD VALUE`, `header !FIELD` */
import { canonicalHeaderName } from '@sluice/base';
import { words } from '@sluice/caddyfile';
import { keyed, matcher } from '../common/matcher.ts';

export const header = matcher('header', {
  shown: ['<field> [<value>]', '!<field>'],
  line: keyed(
    '<field>',
    (reader, draft) => {
      const fail = (problem: string): never => {
        throw reader.error(`malformed header matcher: ${problem}`);
      };
      const [field = fail('expected field'), value, ...more] = reader.remaining();
      if (!field.startsWith('!')) {
        if (value === undefined || more.length > 0) return fail('expected both field and value');
        return draft.push([canonicalHeaderName(field)], [value]);
      }
      if (value !== undefined) fail('null matching headers cannot have a field value');
      if (field.length === 1) fail('must have field name following ! character');
      draft.put([field.slice(1)], null);
    },
    (field, values) => (values === null ? [[`!${field}`]] : words(values).map((value) => [field, value])),
  ),
  help: 'Matches requests in which a header field has the given value, or exists if no value is given. `*` at the beginning or end of the value matches any string. `!` before the name matches if the field does not exist.',
  example: '@socket header Connection *Upgrade*\nrespond @socket hi',
});
