/** The module `caddy.logging.writers.stderr`, which writes to the standard error of the process. */
import { defineModule, options } from '@sluice/registry';
import { logWriters } from '@sluice/contracts';
import { descriptorOutput } from '../common/descriptor-output.ts';
import { troubleOf } from '../common/trouble.ts';

export const stderrModule = defineModule(logWriters, {
  name: 'stderr',
  help: 'Writes logs to standard error.',
  config: options({}),
  provision: (_, context) => ({ key: 'stderr', open: () => descriptorOutput(2, troubleOf(context)) }),
});
