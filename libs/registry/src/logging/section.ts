/** The section `logging`: named logs with writer, encoder, level, sampling, and which loggers they take. */
import { defineModule, type ModuleDescriptor } from '../modules/descriptor.ts';
import { namespace } from '../modules/namespace.ts';
import type { Context } from '../reconcile/context.ts';
import {
  boolean,
  inlineModule,
  integer,
  json,
  map,
  options,
  string,
  strings,
  structure,
  type Options,
} from '../schema/options.ts';
import type { JsonObject } from '../config/json.ts';
import { logEncoders, logOutputsToken, logWriters, type LogEncoder } from './contracts.ts';
import type { LogEntry, LogLevel } from './logger.ts';
import { logRouterToken, severity, type LogRoute } from './router.ts';
import { compileSampling } from './sampling.ts';

const samplingOptions = options({
  interval: integer('Length of an interval in nanoseconds. Default one second.'),
  first: integer('How many like entries of an interval are written. Default 100.'),
  thereafter: integer('Of further ones every so-manieth is written. Default 100.'),
});

const logOptions = options({
  writer: inlineModule('Where lines go. Default stderr.', logWriters, 'output'),
  encoder: inlineModule('How lines look. Default console on a terminal, else json.', logEncoders, 'format'),
  core: json('Not used: there are no cores beside the built-in one.'),
  level: string('Least severe level: DEBUG, INFO, WARN, ERROR, PANIC or FATAL. Default INFO.'),
  sampling: structure('Of many like entries write some only.', samplingOptions),
  with_caller: boolean('Accepted; entries have no caller.'),
  with_caller_skip: integer('Accepted; entries have no caller.'),
  with_stacktrace: string('Accepted; errors carry their own stack.'),
  include: strings('Names of loggers to take; a name covers those below it. None: all.'),
  exclude: strings('Names of loggers to leave out; the longer name wins over include.'),
});

const loggingOptions = options({
  sink: structure(
    'What libraries write that do not log by themselves.',
    options({ writer: inlineModule('Where it goes.', logWriters, 'output') }),
  ),
  logs: map('Logs by name; `default` replaces the one to standard error.', logOptions),
});

const levels: Readonly<Record<string, LogLevel>> = {
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  error: 'error',
  panic: 'error',
  fatal: 'error',
};

/** The section as a module; the server adds it to its registry. */
export const loggingSection: ModuleDescriptor<object> = defineModule(namespace<object>(''), {
  name: 'logging',
  help: 'Logs: where entries go, how they look, which are written.',
  config: loggingOptions,
  async provision(config, context) {
    const router = context.find(logRouterToken);
    const logs = Object.entries(config.logs ?? {}).filter(([name]) => name !== '@id');
    const routes: LogRoute[] = [];
    for (const [name, log] of logs) {
      routes.push(await context.structure((log ?? {}) as JsonObject, provisionLog, 'logs', name));
    }
    const fallback = router?.fallback;
    if (fallback !== undefined && !logs.some(([name]) => name === 'default')) {
      routes.push({
        accepts: (level, logger) => fallback.enabled(level, logger),
        write: (entry) => fallback.write(entry),
      });
    }
    // Another thread than the control thread sends an entry there once, whatever the number of logs that take it.
    const forward: LogRoute = {
      accepts: (level, logger) => routes.some((route) => route.accepts(level, logger)),
      write: (entry) => fallback?.write(entry),
    };
    const inForce = context.roles.control ? routes : [forward];
    context.onCommit(() => router?.use(logs.length === 0 ? null : inForce));
    return {};
  },
});

async function provisionLog(node: JsonObject, context: Context): Promise<LogRoute> {
  const config = node as Options<typeof logOptions>;
  const level = levels[(config.level || 'INFO').toLowerCase()];
  if (level === undefined)
    throw context.error(
      `${JSON.stringify(config.level)} is no level; levels are DEBUG, INFO, WARN, ERROR, PANIC, FATAL`,
      'level',
    );
  const takes = compileFilter(config.include ?? [], config.exclude ?? []);
  const keeps = compileSampling(config.sampling);
  const write = await provisionOutput(config, context);
  return {
    accepts: (entryLevel, logger) => severity[entryLevel] >= severity[level] && takes(logger),
    write: (entry) => {
      if (keeps(entry)) write(entry);
    },
  };
}

/** In the control thread the encoder and the open output; elsewhere the way to the control thread. */
async function provisionOutput(
  config: Options<typeof logOptions>,
  context: Context,
): Promise<(entry: LogEntry) => void> {
  const encoder: LogEncoder = await context.loadInline(
    logEncoders,
    config.encoder ?? defaultEncoder(),
    'format',
    'encoder',
  );
  const writer = await context.loadInline(logWriters, config.writer ?? { output: 'stderr' }, 'output', 'writer');
  const pool = context.find(logOutputsToken);
  if (!context.roles.control || pool === undefined) return () => undefined;
  const output = await context.acquire(pool, writer.key, () => writer.open());
  return (entry) => output.write(encoder.encode(entry));
}

function defaultEncoder(): JsonObject {
  return { format: process.stderr.isTTY ? 'console' : 'json' };
}

/** Which logger names a log takes: the longest name that covers one decides. */
export function compileFilter(include: readonly string[], exclude: readonly string[]): (logger: string) => boolean {
  if (include.length === 0 && exclude.length === 0) return () => true;
  const verdicts = new Map<string, boolean>();
  return (logger) => {
    let verdict = verdicts.get(logger);
    if (verdict === undefined) {
      const excluded = longest(exclude, logger);
      verdict = include.length === 0 ? excluded < 0 : longest(include, logger) > excluded;
      if (verdicts.size < 1000) verdicts.set(logger, verdict);
    }
    return verdict;
  };
}

/** Length of the longest name that covers a logger; -1 for none. */
function longest(names: readonly string[], logger: string): number {
  let length = -1;
  for (const name of names)
    if (logger === name || logger.startsWith(`${name}.`)) length = Math.max(length, name.length);
  return length;
}
