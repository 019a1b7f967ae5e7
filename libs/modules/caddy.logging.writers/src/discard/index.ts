/** The module `caddy.logging.writers.discard`, which discards all log lines. */
import { defineModule, options } from '@sluice/registry';
import { logWriters, type LogOutput } from '@sluice/contracts';

const nowhere: LogOutput = {
  write: () => undefined,
  writeBytes: (_bytes, _lines, release) => release(),
  close: () => undefined,
};

export const discardModule = defineModule(logWriters, {
  name: 'discard',
  help: 'Discards all entries.',
  config: options({}),
  provision: () => ({ key: 'discard', open: () => nowhere }),
});
