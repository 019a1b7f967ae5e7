/** `vars VARIABLE VALUE…` */
import { isObject, type Json } from '@sluice/base';
import { asJson, dictionary, type Dispenser, syntax, words } from '@sluice/caddyfile';
import { eachLine, refuseBlock } from '../common/words.ts';

function readVars(reader: Dispenser): Json {
  const values = dictionary<string[]>();
  eachLine(reader, () => {
    if (!reader.nextArgument()) throw reader.error('malformed vars matcher: expected field name');
    const variable = reader.value;
    const words = reader.remaining();
    if (words.length === 0) {
      throw reader.error('malformed vars matcher: expected at least one value to match against');
    }
    (values[variable] ??= []).push(...words);
    refuseBlock(reader, 'vars');
  });
  return asJson(values);
}

export const vars = syntax(
  {
    shown: ['<name> <value>…'],
    help: 'Matches if a variable or placeholder has one of these values.',
    example: 'vars tenant {header.X-Tenant}\n@acme vars {vars.tenant} acme\nrespond @acme hi',
  },
  {
    read: readVars,
    write: (options) =>
      isObject(options) ? Object.entries(options).map(([name, values]) => ({ words: [name, ...words(values)] })) : null,
  },
);
