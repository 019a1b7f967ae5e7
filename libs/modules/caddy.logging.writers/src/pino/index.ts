/** The module `caddy.logging.writers.pino`, which writes to a pino transport in a separate thread. */
import { defineModule, integer, json, options, string } from '@sluice/registry';
import { isObject, requiredText } from '@sluice/base';
import { logWriters } from '@sluice/contracts';
import { declareCounter, metricsToken } from '@sluice/telemetry';
import { troubleOf } from '../common/trouble.ts';
import { resolveTarget } from './target.ts';
import { TransportOutput } from './transport-output.ts';

const megabyte = 1024 * 1024;
const defaultQueue = 64;

export const droppedLines = declareCounter(
  'sluice_log_dropped_lines_total',
  'Total number of log lines that were dropped because a pino transport could not keep up.',
  ['target'],
);

export const pinoModule = defineModule(logWriters, {
  name: 'pino',
  help: 'Writes logs to a pino transport, such as pino-loki or pino-elasticsearch, which runs in a separate thread.',
  config: options({
    target: string(
      'Transport: a package in the working directory or the module directory, or the path of a file. `pino/file` is built in.',
    ),
    options: json('Options to pass to the transport.', { type: 'object' }),
    max_queue_mb: integer(
      'Maximum size of the queue for the transport, in MiB. Lines that do not fit are dropped and counted. Default: 64.',
    ),
  }),
  provision(config, context) {
    const target = requiredText(config.target, context, 'target');
    if (target === '') throw context.error('target is missing; set a package name or a file path', 'target');
    const file = resolveTarget(target);
    if (file === null)
      throw context.error(
        `${JSON.stringify(target)} is not installed: install it with npm in the working directory or in the modules directory`,
        'target',
      );
    const given = config.options ?? {};
    if (!isObject(given)) throw context.error('transport options must be an object', 'options');
    const size = config.max_queue_mb || defaultQueue;
    if (size < 0) throw context.error(`${size} MiB is not a valid queue size`, 'max_queue_mb');
    return {
      key: `pino:${file}:${size}:${JSON.stringify(given)}`,
      open: () =>
        TransportOutput.open({
          target,
          file,
          options: given,
          maxQueued: size * megabyte,
          trouble: troubleOf(context),
          dropped: context.find(metricsToken)?.family(droppedLines).with(target) ?? null,
        }),
    };
  },
});
