/** Configuration adapters. */
import type { Registry } from '@sluice/registry';
import { json5 } from './json5/index.ts';
import { nginx } from './nginx/index.ts';
import { toml } from './toml/index.ts';
import { yaml } from './yaml/index.ts';

export { json5, nginx, toml, yaml };

/** Registers the adapters of this package. */
export function register(registry: Registry): void {
  registry.add(json5).add(nginx).add(toml).add(yaml);
}
