/** A log in the `logging` section, with its filters, encoder and writer. */
import { isatty } from 'node:tty';
import { type JsonObject, requiredText, type LogEntry, type LogLevel } from '@sluice/base';
import {
  type Context,
  boolean,
  inlineModule,
  integer,
  json,
  options,
  string,
  strings,
  structure,
  type Options,
} from '@sluice/registry';
import { sharedCellsToken } from '@sluice/threads';
import { logEncoders, logOutputsToken, logWriters } from '@sluice/contracts';
import { compileFilter, conflictOf } from './names.ts';
import { severity, type LogRoute } from './router.ts';
import { Sampling } from './sampling.ts';

const samplingOptions = options({
  interval: integer('Length of a log sampling interval, in nanoseconds. Default: one second.'),
  first: integer('Number of identical log entries to write per interval before sampling begins. Default: 100.'),
  thereafter: integer('Sampling rate after the first entries: every Nth identical log entry is written. Default: 100.'),
});

export const logOptions = options({
  writer: inlineModule('Log writer. Default: stderr.', logWriters, 'output'),
  encoder: inlineModule(
    'Log encoder. Default: console if the output is a terminal, otherwise json.',
    logEncoders,
    'format',
  ),
  core: json('Accepted but ignored: only the built-in core is available.'),
  level: string('Minimum log level: DEBUG, INFO, WARN, ERROR, PANIC or FATAL. Default: INFO.', {
    examples: ['DEBUG'],
  }),
  sampling: structure('Sampling settings, which limit the number of identical log entries.', samplingOptions),
  with_caller: boolean('Accepted but ignored: log entries do not contain the caller.'),
  with_caller_skip: integer('Accepted but ignored: log entries do not contain the caller.'),
  with_stacktrace: string('Accepted but ignored: logged errors include their own stack trace.'),
  include: strings(
    'Names of loggers to include. Each name also includes the loggers below it in the hierarchy. Default: all.',
  ),
  exclude: strings('Names of loggers to exclude. If a logger matches both lists, the longer name takes precedence.'),
});

/** Numeric thresholds of the log levels. Errors have the highest value. */
const thresholds: Readonly<Record<string, number>> = {
  debug: severity.debug,
  info: severity.info,
  warn: severity.warn,
  error: severity.error,
  panic: severity.error + 1,
  fatal: severity.error + 1,
};

/** Provisions a log. Every thread provisions every log, because each thread encodes its own entries. */
export async function provisionLog(node: JsonObject, context: Context): Promise<LogRoute> {
  const config = node as Options<typeof logOptions>;
  const threshold = thresholdOf(config.level, context);
  const include = config.include ?? [];
  const exclude = config.exclude ?? [];
  const conflict = conflictOf(include, exclude);
  if (conflict !== null) throw context.error(conflict.message, 'include', conflict.index);
  const takes = compileFilter(include, exclude);
  const write = await provisionOutput(config, context);
  const sampling = config.sampling ? provisionSampling(config.sampling, context) : null;
  return {
    accepts: (level: LogLevel, logger: string) => severity[level] >= threshold && takes(logger),
    write:
      sampling === null
        ? write
        : (entry) => {
            if (sampling.keeps(entry)) write(entry);
          },
  };
}

function thresholdOf(level: string | null | undefined, context: Context): number {
  const name = requiredText(level, context, 'level');
  const threshold = thresholds[name.toLowerCase() || 'info'];
  if (threshold !== undefined) return threshold;
  throw context.error(
    `${JSON.stringify(name)} is not a valid level; use one of DEBUG, INFO, WARN, ERROR, PANIC, FATAL`,
    'level',
  );
}

function provisionSampling(config: Options<typeof samplingOptions>, context: Context): Sampling {
  const sampling = new Sampling(config, context.where(), context.find(sharedCellsToken) ?? null);
  context.onDispose(() => sampling.close());
  return sampling;
}

/** Provisions the encoder and the output. If the thread has no roles, for example in a dry run, nothing is opened. */
async function provisionOutput(
  config: Options<typeof logOptions>,
  context: Context,
): Promise<(entry: LogEntry) => void> {
  const writer = await context.loadInline(logWriters, config.writer ?? { output: 'stderr' }, 'output', 'writer');
  const format = config.encoder ?? { format: isTerminal(writer.key) ? 'console' : 'json' };
  const encoder = await context.loadInline(logEncoders, format, 'format', 'encoder');
  const outputs = context.find(logOutputsToken);
  if (outputs === undefined || !(context.roles.control || context.roles.traffic)) return () => undefined;
  const output = await outputs.acquire(writer, context);
  return (entry) => output.write(encoder.encode(entry), 1);
}

/** Reports whether a writer writes to a terminal. Worker threads have no `process.stderr.isTTY`, but they share the file descriptors. */
function isTerminal(key: string): boolean {
  return (key === 'stderr' && isatty(2)) || (key === 'stdout' && isatty(1));
}
