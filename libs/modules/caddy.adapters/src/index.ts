/** Configuration adapters. */
import { coreInverses, coreOptions, globalInverses, globalOptions } from '@sluice/caddyfile/contribute';
import { references, type Registry } from '@sluice/registry';
import { caddyfile } from './caddyfile/index.ts';
import { json5 } from './json5/index.ts';
import { nginx } from './nginx/index.ts';
import { toml } from './toml/index.ts';
import { yaml } from './yaml/index.ts';

/** Registers the adapters of this package. */
export function register(registry: Registry): void {
  registry.add(caddyfile).add(json5).add(nginx).add(toml).add(yaml);
  registry.contribute(globalOptions, ...coreOptions);
  registry.contribute(globalInverses, ...coreInverses);
  registry.contribute(references, {
    name: '@sluice/caddy.adapters',
    load: async () => (await import('./reference.ts')).reference,
  });
}
