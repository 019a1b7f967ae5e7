/** `expression EXPRESSION` */
import { isObject } from '@sluice/base';
import { type CaddyfileToken, words } from '@sluice/caddyfile';
import { matcher } from '../common/matcher.ts';

function asWritten({ text, quote }: CaddyfileToken): string {
  if (quote === '"') return `"${text.replaceAll('"', String.raw`\"`)}"`;
  return quote === '`' ? `\`${text}\`` : text;
}

export const expression = matcher('expression', {
  bare: true,
  line: {
    shown: '<expression>',
    read(reader, draft) {
      if (draft.get(['']) !== undefined)
        throw reader.error('repeated expression matchers are not supported, combine them into one expression with &&');
      const found = reader.remainingTokens();
      const [only] = found;
      if (only === undefined) throw reader.argumentError();
      const isNamed = found.length === 1 && reader.matcherName !== '';
      const text = found.length > 1 ? found.map(asWritten).join(' ') : only.text;
      draft.put([''], isNamed ? { expr: text, name: reader.matcherName } : text, true);
    },
    write: (option, { '': found }) =>
      isObject(found)
        ? [{ words: [option, ...words(found['expr'])] }]
        : [{ words: [option, ...words(found).flatMap((each) => each.split(' '))], raw: true }],
  },
  help: 'Matches requests for which a CEL expression evaluates to true. The expression may contain placeholders and call other matchers. If the expression is in backticks, the matcher name can be omitted: @x `{method} == "GET"`.',
  example: '@fresh expression `{query.page}.size() > 0 && path("/list*")`\nrespond @fresh hi',
});
