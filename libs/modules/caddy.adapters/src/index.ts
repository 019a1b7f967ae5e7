/** Configuration adapters. */
import type { Registry } from '@sluice/registry';
import { json5 } from './json5/index.ts';

export { json5 };

/** Registers the adapters of this package. */
export function register(registry: Registry): void {
  registry.add(json5);
}
