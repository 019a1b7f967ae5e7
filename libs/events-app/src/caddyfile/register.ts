/** Global options of the app `events`. */
import { globalOptions } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

/** Adds them. */
export function registerCaddyfile(registry: Registry): void {
  registry.contribute(globalOptions, {
    name: 'events',
    load: async () => (await import('./global-options.ts')).events,
    describe: async () => (await import('./describe-options.ts')).events,
    finish: async () => (await import('./global-options.ts')).finishEvents,
  });
}
