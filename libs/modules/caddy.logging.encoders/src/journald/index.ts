/** The module `caddy.logging.encoders.journald`, which prefixes each line with a priority for the systemd journal (sd-daemon(3)). */
import { defineModule, inlineModule, options } from '@sluice/registry';
import { logEncoders } from '@sluice/contracts';
import type { LogLevel } from '@sluice/base';
import { withoutTime } from '../common/without-time.ts';

const priorities: Readonly<Record<LogLevel, number>> = { debug: 7, info: 6, warn: 4, error: 3 };

export const journaldModule = defineModule(logEncoders, {
  name: 'journald',
  help: 'Adds a journald priority prefix, such as <6>, to the lines of another encoder.',
  config: options({
    wrap: inlineModule(
      'Encoder that writes the log entry. Default: json. The console encoder omits the time, because the journal adds it.',
      logEncoders,
      'format',
    ),
  }),
  async provision(config, context) {
    context.provide(withoutTime, true);
    const inner = await context.loadInline(logEncoders, config.wrap ?? { format: 'json' }, 'format', 'wrap');
    return { encode: (entry) => `<${priorities[entry.level]}>${inner.encode(entry)}` };
  },
});
