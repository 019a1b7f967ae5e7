/** `caddy.logging.writers.discard`: nowhere. */
import { defineModule, logWriters, options, type LogOutput } from '@sluice/registry';

const nowhere: LogOutput = {
  write: () => undefined,
  writeBytes: (_bytes, _lines, release) => release(),
  close: () => undefined,
};

/** The module. */
export const discardModule = defineModule(logWriters, {
  name: 'discard',
  help: 'Writes nothing.',
  config: options({}),
  provision: () => ({ key: 'discard', open: () => nowhere }),
});
