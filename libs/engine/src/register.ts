/** What the server registers of the engine. */
import type { Registry } from '@sluice/registry';
import { storageSection } from './storage-section.ts';

/** Adds the section `storage`. */
export function register(registry: Registry): void {
  registry.addSection(storageSection);
}
