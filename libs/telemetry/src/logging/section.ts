/** The `logging` section of the configuration: named logs, each with a writer, encoder, level, sampling and logger filters. */
import {
  defineModule,
  type ModuleDescriptor,
  namespace,
  inlineModule,
  map,
  options,
  structure,
} from '@sluice/registry';
import type { JsonObject } from '@sluice/base';
import { logOutputsToken, logWriters } from '@sluice/contracts';
import { logOptions, provisionLog } from './log.ts';
import { logRouterToken, type LogRoute } from './router.ts';

const loggingOptions = options({
  sink: structure(
    'Output for messages that bypass the logger, such as Node.js warnings and messages from libraries.',
    options({
      writer: inlineModule(
        'Writer for messages that bypass the logger. Default: write these messages to the logs as warnings.',
        logWriters,
        'output',
      ),
    }),
  ),
  logs: map('Logs by name. `default` overrides the default log, which writes to standard error.', logOptions),
});

/** Module for the `logging` section. The server registers it. */
export const loggingSection: ModuleDescriptor<object> = defineModule(namespace<object>(''), {
  name: 'logging',
  help: 'Log outputs, formats and filters.',
  config: loggingOptions,
  async provision(config, context) {
    const router = context.find(logRouterToken);
    const logs = Object.entries({ default: null, ...config.logs });
    const routes: LogRoute[] = [];
    for (const [name, log] of logs)
      routes.push(await context.structure((log ?? {}) as JsonObject, provisionLog, 'logs', name));
    const stray = config.sink?.writer
      ? await context.loadInline(logWriters, config.sink.writer, 'output', 'sink', 'writer')
      : null;
    const outputs = stray === null ? undefined : context.find(logOutputsToken);
    const sink = stray === null || !context.roles.control ? undefined : await outputs?.acquire(stray, context);
    context.onCommit(() => router?.use(routes, sink ?? null));
    context.onRetire(() => router?.forget(routes));
    return {};
  },
});
