/** Authentication providers: namespace `http.authentication.providers`. */
import { references, type Registry } from '@sluice/registry';
import { httpBasicModule } from './http_basic/index.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(httpBasicModule);
  registry.contribute(references, {
    name: '@sluice/http.authentication.providers',
    load: async () => (await import('./reference.ts')).reference,
  });
}
