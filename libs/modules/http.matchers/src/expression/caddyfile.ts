/** `expression EXPRESSION` */
import { isObject, type Json } from '@sluice/base';
import { type CaddyfileToken, type Dispenser, syntax, words } from '@sluice/caddyfile';
import { eachLine, refuseBlock } from '../common/words.ts';

function readExpression(reader: Dispenser): Json {
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

export const expression = syntax(
  {
    shown: ['<expression>'],
    help: 'Matches by CEL expression, which may contain placeholders and call other matchers. In backticks, the matcher name can be omitted: @x `{method} == "GET"`.',
    example: '@fresh expression `{query.page}.size() > 0 && path("/list*")`\nrespond @fresh hi',
  },
  {
    read: readExpression,
    write: (options) =>
      isObject(options)
        ? [{ words: words(options['expr']) }]
        : [{ words: words(options).flatMap((each) => each.split(' ')), raw: true }],
  },
);
