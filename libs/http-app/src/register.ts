/** Registers the modules of this package with the server. */
import { references, type Registry } from '@sluice/registry';
import { httpAppModule } from './app.ts';
import { registerCaddyfile } from './caddyfile/register.ts';

export function register(registry: Registry): void {
  registry.add(httpAppModule);
  registerCaddyfile(registry);
  registry.contribute(references, { name: '@sluice/http-app', load: () => import('./reference.ts') });
}
