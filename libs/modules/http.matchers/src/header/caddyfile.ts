/** `header FIELD VALUE`, `header !FIELD` */
import { canonicalHeaderName, isObject, type Json } from '@sluice/base';
import { dictionary, type Dispenser, syntax, words } from '@sluice/caddyfile';
import { eachLine, refuseBlock } from '../common/words.ts';

function readHeader(reader: Dispenser): Json {
  const fields = dictionary<string[] | null>();
  eachLine(reader, () => {
    const [field, value, ...more] = reader.remaining();
    if (field === undefined) throw reader.error('malformed header matcher: expected field');
    if (field.startsWith('!')) {
      if (value !== undefined)
        throw reader.error('malformed header matcher: null matching headers cannot have a field value');
      if (field.length === 1)
        throw reader.error('malformed header matcher: must have field name following ! character');
      fields[field.slice(1)] = null;
    } else {
      if (value === undefined || more.length > 0) {
        throw reader.error('malformed header matcher: expected both field and value');
      }
      (fields[canonicalHeaderName(field)] ??= []).push(value);
    }
    refuseBlock(reader, 'header');
  });
  return fields;
}

export const header = syntax(
  {
    shown: ['<field> [<value>]', '!<field>'],
    help: 'Matches if a request header field has a value (`*` at either end matches any string), exists, or with `!` does not exist.',
    example: '@socket header Connection *Upgrade*\nrespond @socket hi',
  },
  {
    read: readHeader,
    write: (options) => {
      if (!isObject(options)) return null;
      return Object.entries(options).flatMap(([field, values]) =>
        values === null ? [{ words: [`!${field}`] }] : words(values).map((value) => ({ words: [field, value] })),
      );
    },
  },
);
