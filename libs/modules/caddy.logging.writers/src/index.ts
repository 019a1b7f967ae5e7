/** Log writers: namespace `caddy.logging.writers`. */
import { references, type Registry } from '@sluice/registry';
import { discardModule } from './discard/index.ts';
import { fileModule } from './file/index.ts';
import { netModule } from './net/index.ts';
import { pinoModule } from './pino/index.ts';
import { stderrModule } from './stderr/index.ts';
import { stdoutModule } from './stdout/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(discardModule);
  registry.add(fileModule);
  registry.add(netModule);
  registry.add(pinoModule);
  registry.add(stderrModule);
  registry.add(stdoutModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/caddy.logging.writers',
    load: async () => (await import('./reference.ts')).reference,
  });
}
