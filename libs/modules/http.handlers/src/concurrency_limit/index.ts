/** The module `http.handlers.concurrency_limit`, which limits the number of concurrent requests per key. */
import type { Registry } from '@sluice/registry';

/** Registers the module. All configurations that use the registry share its limits. */
export function registerConcurrencyLimit(registry: Registry): void {
  registry.add({
    namespace: 'http.handlers',
    name: 'concurrency_limit',
    load: async () => (await import('./module.ts')).makeConcurrencyLimitModule(),
  });
}
