/** Options of matchers that compare IP addresses. */
import { compileRanges, expandRequired, type IpMatcher } from '@sluice/base';
import { options, strings, type Context, type Options } from '@sluice/registry';

export const rangeOptions = options({
  ranges: strings('IP addresses and CIDR ranges to match. May contain placeholders such as `{env.*}`.', {
    examples: [['10.0.0.0/8', '2001:db8::1']],
  }),
});

/** Compiles IP ranges. Errors refer to the option `key`. */
export function compiledRanges(ranges: readonly string[], context: Context, key: string): IpMatcher {
  try {
    return compileRanges(ranges.map(expandRequired));
  } catch (error) {
    throw context.error((error as Error).message, key);
  }
}

export function rangesOf(config: Options<typeof rangeOptions>, context: Context): IpMatcher {
  return compiledRanges(config.ranges ?? [], context, 'ranges');
}
