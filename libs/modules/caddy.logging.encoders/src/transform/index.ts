/** The module `caddy.logging.encoders.transform`, also available under its former name `formatted`. It formats lines with a template. */
import { boolean, defineModule, options, string } from '@sluice/registry';
import { logEncoders } from '@sluice/contracts';
import { encoderFields, readEntryFormat } from '../common/options.ts';
import { entryObject } from '../common/plain.ts';
import { commonLog, compileLine } from './template.ts';

const fields = options({
  ...encoderFields,
  line_ending: string('Accepted but ignored: lines end with a line feed.'),
  time_format: string(
    'Time format: unix_seconds_float (default), unix_milli_float, unix_nano, iso8601, rfc3339, rfc3339_nano, wall, wall_milli, wall_nano, common_log, or a Go layout such as 2006-01-02 15:04:05. Ignored for `{common_log}`, which has a fixed format.',
  ),
  template: string(
    'Template for a line, such as `{request>remote_ip} {request>headers>User-Agent>[0]} {status}`. `>` selects a member of an object, and `[0]` selects an item of a list. `{a:b}` writes `b` if `a` is missing. If the template is just `{common_log}`, lines are in the Common Log Format.',
  ),
  placeholder: string('Text to write for missing and empty values. Default: `-`.'),
  unescape_strings: boolean(
    'Write strings without JSON escapes such as `\\n`. Clients can then inject forged lines into the log.',
  ),
});

/** Declares the encoder under one of its names. */
function named(name: string, help: string) {
  return defineModule(logEncoders, {
    name,
    help,
    config: fields,
    async provision(config, context) {
      if (!config.template) throw context.error('template is missing', 'template');
      const template = config.template === '{common_log}' ? commonLog : config.template;
      const of = template === commonLog ? { ...config, time_format: 'common_log' } : config;
      const format = await readEntryFormat(of, { time: 'unix_seconds_float', level: 'lower' }, context);
      const line = compileLine(template, {
        placeholder: config.placeholder || '-',
        unescape: config.unescape_strings ?? false,
      });
      return { encode: (entry) => `${line.expand(entryObject(entry, format))}\n` };
    },
  });
}

export const transformModule = named(
  'transform',
  'Writes log entries as lines from a template, such as the Common Log Format.',
);
export const formattedModule = named('formatted', 'Deprecated alias of `transform`, with the same options.');
