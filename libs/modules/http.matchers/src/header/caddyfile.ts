/** `header FIELD VALUE`, `header !FIELD` */
import { dictionary, type Dispenser } from '@sluice/caddyfile';
import { canonicalHeaderName, type Json } from '@sluice/base';
import { eachLine, refuseBlock } from '../common/words.ts';

/** Reads fields; `!` before a name matches where it is missing. */
export function readHeader(reader: Dispenser): Json {
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
