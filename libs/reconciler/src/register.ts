/** Registers this package with the server. */
import { lintChecks, references, type Registry } from '@sluice/registry';
import { storageSection } from './storage-section.ts';

export function register(registry: Registry): void {
  registry.addSection(storageSection);
  registry.contribute(lintChecks, {
    name: 'SL019',
    load: async () => (await import('./lint/unset-value.ts')).unsetValue,
  });
  registry.contribute(references, { name: '@sluice/reconciler', load: () => import('./reference.ts') });
}
