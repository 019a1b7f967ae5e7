/** How the global options of the app `events` are written again. */
import { globalInverses } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

/** Adds them. */
export function registerInverses(registry: Registry): void {
  registry.contribute(globalInverses, {
    name: 'events',
    load: async () => (await import('./inverse-options.ts')).events,
  });
}
