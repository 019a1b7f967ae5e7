/** Options of matchers that compare IP addresses. */
import { resolveGlobalText } from '@sluice/http-app';
import { compileRanges, type IpMatcher } from '@sluice/base';
import { options, strings, type Context, type Options } from '@sluice/registry';

/** The `ranges` option: IP addresses and CIDR prefixes. */
export const rangeOptions = options({
  ranges: strings(
    'IP addresses and CIDR ranges to match. Global placeholders, such as `{env.*}`, are replaced when the configuration is loaded.',
    { examples: [['10.0.0.0/8', '2001:db8::1']] },
  ),
});

export function rangesOf(config: Options<typeof rangeOptions>, context: Context): IpMatcher {
  const ranges = (config.ranges ?? []).map((range) => resolveGlobalText(range));
  try {
    return compileRanges(ranges);
  } catch (error) {
    throw context.error((error as Error).message, 'ranges');
  }
}
