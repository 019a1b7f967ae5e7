/** `http.ip_sources.static`: provides IP ranges from the configuration. */
import { ipSources, resolveGlobalText, type IpSource } from '@sluice/http-app';
import { compileRanges } from '@sluice/base';
import { defineModule, options, strings } from '@sluice/registry';

export const staticModule = defineModule(ipSources, {
  name: 'static',
  help: 'Provides a fixed list of IP ranges.',
  config: options({
    ranges: strings(
      'IP addresses and CIDR ranges in the list. Global placeholders, such as `{env.*}`, are replaced when the configuration is loaded.',
      {
        examples: [['10.0.0.0/8', 'fd00::/8']],
      },
    ),
  }),
  provision(config, context): IpSource {
    try {
      return { contains: compileRanges((config.ranges ?? []).map((range) => resolveGlobalText(range))) };
    } catch (error) {
      throw context.error((error as Error).message, 'ranges');
    }
  },
});
