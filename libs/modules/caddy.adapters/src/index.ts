/** Configuration adapters. */
import { coreOptions, globalOptions } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';
import { modules } from './module-index.ts';

/** Registers the adapters of this package. */
export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(globalOptions, ...coreOptions);
}
