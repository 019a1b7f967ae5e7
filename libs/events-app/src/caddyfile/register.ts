import { contributeOptions } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

export function registerCaddyfile(registry: Registry): void {
  contributeOptions(
    registry,
    { events: async () => (await import('./global-options.ts')).events },
    async () => (await import('./global-options.ts')).finishEvents,
  );
}
