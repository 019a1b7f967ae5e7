/** `layer4.matchers.regexp`: matches the first bytes of a connection with a regular expression. */
import { isUtf8 } from 'node:buffer';
import { layer4Matchers, maxMatchedBytes } from '@sluice/layer4-app';
import { boolean, defineModule, integer, options, string } from '@sluice/registry';
import { pattern } from '../common/patterns.ts';

const defaultCount = 4;

export const regexpModule = defineModule(layer4Matchers, {
  name: 'regexp',
  effect: 'pure',
  help: 'Matches connections whose first bytes match a regular expression. The matcher waits until all `count` bytes have arrived.',
  config: options({
    pattern: string(
      'Regular expression (RE2 syntax). If the bytes are not valid UTF-8, `\\xNN` matches a single byte.',
    ),
    count: integer('Number of bytes to match. Default: 4. Maximum: 16384.'),
    hex: boolean('Match the bytes as an uppercase hexadecimal string, such as `9E79BC40`.'),
  }),
  provision(config, context) {
    const count = config.count || defaultCount;
    if (count < 0 || count > maxMatchedBytes)
      throw context.error(`must be from 1 to ${maxMatchedBytes}, not ${count}`, 'count');
    const expression = pattern(config.pattern ?? '', context, 'pattern');
    const asHex = config.hex === true;
    return {
      match(_, bytes, end) {
        if (end < count) return null;
        const first = bytes.subarray(0, count);
        const text = asHex
          ? first.toString('hex').toUpperCase()
          : isUtf8(first)
            ? first.toString('utf8')
            : first.toString('latin1');
        return expression.test(text);
      },
    };
  },
});
