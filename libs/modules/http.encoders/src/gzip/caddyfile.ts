/** `gzip [LEVEL]` */
import { SluiceError } from '@sluice/base';
import { syntax, word } from '@sluice/caddyfile';

export const gzip = syntax({
  line: word('[<level>]', {
    field: 'level',
    takes: 'any',
    convert(_reader, text) {
      if (/^[+-]?\d+$/.test(text)) return Number(text);
      throw new SluiceError('ERR_VALUE', `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
    },
  }),
  within: [':8080', 'encode'],
  example: 'gzip 6',
});
