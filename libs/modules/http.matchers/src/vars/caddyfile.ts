/** `vars VARIABLE VALUE…` */
import { asJson, dictionary, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine, refuseBlock } from '../common/words.ts';

/** Reads the values of variables, one of which has to be there. */
export function readVars(reader: Dispenser): Json {
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
