/** What the server registers of the core itself. */
import { loggingSection } from './logging/section.ts';
import type { Registry } from './modules/registry.ts';
import { storageSection } from './storage/section.ts';

/** Adds the sections `logging` and `storage`. */
export function register(registry: Registry): void {
  registry.addSection(loggingSection);
  registry.addSection(storageSection);
}
