/** The section `logging`: named logs with writer, encoder, level, sampling, and which loggers they take. */
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
    'What libraries and the platform say that do not log by themselves, such as warnings of Node.',
    options({ writer: inlineModule('Where it goes. Default: a warning in the logs.', logWriters, 'output') }),
  ),
  logs: map('Logs by name; `default` replaces the one to standard error.', logOptions),
});

/** The section as a module; the server adds it to its registry. */
export const loggingSection: ModuleDescriptor<object> = defineModule(namespace<object>(''), {
  name: 'logging',
  help: 'Logs: where entries go, how they look, which are written.',
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
