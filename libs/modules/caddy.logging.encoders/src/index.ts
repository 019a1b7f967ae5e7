/** Log encoders: namespace `caddy.logging.encoders`. */
import { references, type Registry } from '@sluice/registry';
import { appendModule } from './append/index.ts';
import { consoleModule } from './console/index.ts';
import { filterModule } from './filter/index.ts';
import { journaldModule } from './journald/index.ts';
import { jsonModule } from './json/index.ts';
import { logfmtModule } from './logfmt/index.ts';
import { singleFieldModule } from './single_field/index.ts';
import { registerInverses } from './inverses.ts';
import { registerSyntaxes } from './syntaxes.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(appendModule);
  registry.add(consoleModule);
  registry.add(filterModule);
  registry.add(journaldModule);
  registry.add(jsonModule);
  registry.add(logfmtModule);
  registry.add(singleFieldModule);
  registerSyntaxes(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/caddy.logging.encoders',
    load: async () => (await import('./reference.ts')).reference,
  });
}
