/** Registers this package with the server. */
import type { Registry } from '@sluice/registry';
import { registerLint } from './lint/register.ts';
import { reportOnChanges } from './report-on-changes.ts';

/** Registers `/explain`, the request comparisons in dry runs, and the `lint` checks. */
export function register(registry: Registry): void {
  registry.hooks.adminRoutes.tap('explain', ({ lazy }) =>
    lazy(
      ['POST /explain', 'POST /explain/test', 'POST /explain/plan'],
      async () => (await import('./explain/admin-routes.ts')).addExplainRoutes,
    ),
  );
  registry.hooks.server.tap('explain', reportOnChanges);
  registerLint(registry);
}
