/** The module `caddy.logging.writers.stdout`, which writes to the standard output of the process. */
import { defineModule, options } from '@sluice/registry';
import { logWriters } from '@sluice/contracts';
import { descriptorOutput } from '../common/descriptor-output.ts';
import { troubleOf } from '../common/trouble.ts';

export const stdoutModule = defineModule(logWriters, {
  name: 'stdout',
  help: 'Writes logs to standard output.',
  config: options({}),
  provision: (_, context) => ({ key: 'stdout', open: () => descriptorOutput(1, troubleOf(context)) }),
});
