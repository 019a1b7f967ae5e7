/** Options that encoders of whole log entries share. */
import { boolean, string, type Context } from '@sluice/registry';
import type { LogEntry, LogLevel } from '@sluice/base';
import { formatDurationAs, formatTime, formatTimeByLayout, seconds } from './formats.ts';

/** Shared encoder options, to be spread into the options of an encoder. */
export const encoderFields = {
  message_key: string('Key of the message. Default: msg. Empty string = omit the message.'),
  level_key: string('Key of the level. Default: level. Empty string = omit the level.'),
  time_key: string('Key of the timestamp field. Default: ts. Empty string = omit the time.'),
  name_key: string('Key of the logger name. Default: logger. Empty string = omit the logger name.'),
  caller_key: string('Accepted but ignored: log entries do not include the caller.'),
  stacktrace_key: string('Accepted but ignored: log entries do not include a stack trace.'),
  line_ending: string('Line ending. Default: line feed.'),
  time_format: string(
    'Time format: unix_seconds_float (default for json), unix_milli_float, unix_nano, iso8601, rfc3339, rfc3339_nano, wall (default for console), wall_milli, wall_nano, common_log, or a Go layout such as 2006-01-02 15:04:05.',
  ),
  time_local: boolean('Use local time instead of UTC.'),
  duration_format: string('Duration format: seconds (default), ms, nano or string.'),
  level_format: string('Level format: lower (default for json), upper or color (default for console).'),
};

export interface EncoderConfig {
  readonly message_key?: string | null;
  readonly level_key?: string | null;
  readonly time_key?: string | null;
  readonly name_key?: string | null;
  readonly line_ending?: string | null;
  readonly time_format?: string | null;
  readonly time_local?: boolean | null;
  readonly duration_format?: string | null;
  readonly level_format?: string | null;
}

/** Format of a log entry. Keys of disabled parts are `null`. */
export interface EntryFormat {
  readonly messageKey: string | null;
  readonly levelKey: string | null;
  readonly timeKey: string | null;
  readonly nameKey: string | null;
  readonly lineEnding: string;
  time(entry: LogEntry): string | number;
  /** Returns the time of an entry as JSON. */
  timeText(entry: LogEntry): string;
  level(level: LogLevel): string;
  /** True if durations are in seconds. Pre-serialized entries use this format. */
  readonly plainDurations: boolean;
  duration(milliseconds: number): string | number;
}

/** Parses the shared encoder options. `defaults` contains the defaults of the encoder. */
export async function readEntryFormat(
  config: EncoderConfig,
  defaults: { time: string; level: string },
  context: Context,
): Promise<EntryFormat> {
  const key = (value: string | null | undefined, fallback: string): string | null =>
    value === undefined || value === null ? fallback : value === '' ? null : value;
  const timeFormat = config.time_format || defaults.time;
  const local = config.time_local ?? false;
  const time = formatTime(timeFormat, local) ?? (await formatTimeByLayout(timeFormat, local));
  const duration = formatDurationAs(config.duration_format || 'seconds');
  if (duration === null) throw context.error('must be seconds, ms, nano or string', 'duration_format');
  const level = levelFormat(config.level_format || defaults.level);
  if (level === null) throw context.error('must be lower, upper or color', 'level_format');
  return {
    messageKey: key(config.message_key, 'msg'),
    levelKey: key(config.level_key, 'level'),
    timeKey: key(config.time_key, 'ts'),
    nameKey: key(config.name_key, 'logger'),
    lineEnding: config.line_ending || '\n',
    time: (entry) => time(entry.time),
    timeText: (entry) => withFraction(JSON.stringify(time(entry.time)), timeFormat),
    level,
    plainDurations: duration === seconds,
    duration,
  };
}

/** Adds a decimal fraction to whole seconds. Log readers such as goaccess require it. */
function withFraction(text: string, timeFormat: string): string {
  return timeFormat === 'unix_seconds_float' && !text.includes('.') ? `${text}.0` : text;
}

const colors: Readonly<Record<LogLevel, number>> = { debug: 35, info: 34, warn: 33, error: 31 };

function levelFormat(name: string): ((level: LogLevel) => string) | null {
  switch (name) {
    case 'lower':
      return (level) => level;
    case 'upper':
      return (level) => level.toUpperCase();
    case 'color':
      return (level) => `\u001b[${colors[level]}m${level.toUpperCase()}\u001b[0m`;
    default:
      return null;
  }
}
