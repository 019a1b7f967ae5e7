/** `layer4.matchers.clock`: matches the time of day. */
import { requiredText } from '@sluice/base';
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule, options, string, type Context } from '@sluice/registry';
import { clockIn } from './zone.ts';

const day = 24 * 3600;

export const clockModule = defineModule(layer4Matchers, {
  name: 'clock',
  help: 'Matches connections if the current time of day is at or after `after`, and before `before`.',
  config: options({
    after: string('Start of the time range, such as `15:04:05`. Default: 00:00:00.'),
    before: string('End of the time range (exclusive). 00:00:00 = end of the day.'),
    timezone: string(
      'Time zone: an IANA name such as `Europe/Vienna`, an offset such as `+02` or `-03:30`, or `Local`. Default: UTC.',
    ),
  }),
  provision(config, context) {
    const after = secondsOf(config.after, context, 'after');
    const before = secondsOf(config.before, context, 'before') || day;
    const [from, to] = after <= before ? [after, before] : [before, after];
    const zone = requiredText(config.timezone, context, 'timezone');
    const clock = clockIn(zone);
    if (clock === null) throw context.error(`unknown time zone ${JSON.stringify(zone)}`, 'timezone');
    return {
      match: () => {
        const now = clock(Date.now());
        return now >= from && now < to;
      },
    };
  },
});

function secondsOf(value: string | null | undefined, context: Context, key: string): number {
  const text = requiredText(value, context, key);
  if (text === '') return 0;
  const parts = /^([01]?\d|2[0-3]):([0-5]\d):([0-5]\d)$/.exec(text);
  if (parts === null) throw context.error(`must be a time such as 15:04:05, not ${JSON.stringify(text)}`, key);
  return Number(parts[1]) * 3600 + Number(parts[2]) * 60 + Number(parts[3]);
}
