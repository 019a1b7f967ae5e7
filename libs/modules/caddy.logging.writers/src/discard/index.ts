/** `caddy.logging.writers.discard`: nowhere. */
import { defineModule, logWriters, options } from '@sluice/registry';

/** The module. */
export const discardModule = defineModule(logWriters, {
  name: 'discard',
  help: 'Writes nothing.',
  config: options({}),
  provision: () => ({ key: 'discard', open: () => ({ write: () => undefined, close: () => undefined }) }),
});
