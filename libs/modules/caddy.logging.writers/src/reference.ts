/** Reference documentation of this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';
import { droppedLines } from './pino/index.ts';

const log = (writer: JsonObject): JsonObject => ({ logging: { logs: { default: { writer } } } });

export const reference: PackageReference = {
  examples: {
    'caddy.logging.writers.discard': log({ output: 'discard' }),
    'caddy.logging.writers.file': log({
      output: 'file',
      filename: '/tmp/sluice-example/logs/server.log',
      roll_size_mb: 10,
      roll_keep: 5,
    }),
    'caddy.logging.writers.net': log({ output: 'net', address: 'udp/localhost:5514', soft_start: true }),
    'caddy.logging.writers.pino': log({
      output: 'pino',
      target: 'pino/file',
      options: { destination: '/tmp/sluice-example/logs/pino.log' },
    }),
    'caddy.logging.writers.stderr': log({ output: 'stderr' }),
    'caddy.logging.writers.stdout': log({ output: 'stdout' }),
  },
  metrics: [droppedLines],
};
