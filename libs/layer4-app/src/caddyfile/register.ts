/** Registers the global option of the `layer4` app. */
import { contributeOptions } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

export function registerCaddyfile(registry: Registry): void {
  contributeOptions(
    registry,
    { layer4: async () => (await import('./option.ts')).layer4 },
    async () => (await import('./option.ts')).finishLayer4,
  );
}
