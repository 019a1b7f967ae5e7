/** `expression EXPRESSION` */
import type { Dispenser, CaddyfileToken } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';
import { eachLine, refuseBlock } from '../common/words.ts';

/** Reads the expression: one word, or all words of the line with their quotes. */
export function readExpression(reader: Dispenser): Json {
  let options: Json = '';
  let found = false;
  eachLine(reader, () => {
    if (found) {
      throw reader.error('repeated expression matchers are not supported, combine them into one expression with &&');
    }
    found = true;
    const words = reader.remainingTokens();
    const [only] = words;
    if (only === undefined) throw reader.argumentError();
    if (words.length > 1) options = words.map(asWritten).join(' ');
    else options = reader.matcherName === '' ? only.text : { expr: only.text, name: reader.matcherName };
    refuseBlock(reader, 'expression');
  });
  return options;
}

function asWritten({ text, quote }: CaddyfileToken): string {
  if (quote === '"') return `"${text.replaceAll('"', String.raw`\"`)}"`;
  return quote === '`' ? `\`${text}\`` : text;
}
