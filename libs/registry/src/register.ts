/** What the server registers of the core itself. */
import { loggingSection } from './logging/section.ts';
import type { Registry } from './modules/registry.ts';

/** Adds the section `logging`. */
export function register(registry: Registry): void {
  registry.addSection(loggingSection);
}
