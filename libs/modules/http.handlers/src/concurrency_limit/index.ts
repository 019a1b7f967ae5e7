/** `http.handlers.concurrency_limit`: limits the number of concurrent requests per key. */
import type { Registry } from '@sluice/registry';

/** Adds the module. Its limits are shared by all configurations of the registry. */
export function registerConcurrencyLimit(registry: Registry): void {
  registry.add({
    namespace: 'http.handlers',
    name: 'concurrency_limit',
    load: async () => (await import('./module.ts')).makeConcurrencyLimitModule(),
  });
}
