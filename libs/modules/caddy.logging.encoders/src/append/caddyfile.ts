/** `append { wrap ENCODER …; fields { KEY VALUE }; KEY VALUE }` */
import { compact, dictionary, scalarValue, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { readWrapped } from '../common/encoder-syntax.ts';

/** Reads the fields. */
export function readAppend(reader: Dispenser): Json {
  const fields = dictionary();
  let wrap: Json | undefined;
  const read = (key: string): void => {
    reader.argument();
    fields[key] = scalarValue(reader.token);
    reader.noArguments();
  };
  for (const option of reader.block()) {
    if (option === 'wrap') wrap = readWrapped(reader);
    else if (option === 'fields') for (const key of reader.block()) read(key);
    else read(option);
  }
  return compact({ wrap, fields });
}
