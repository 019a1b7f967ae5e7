/** Registers `/rollout`. */
import { references, type Registry } from '@sluice/registry';

export function register(registry: Registry): void {
  registry.hooks.adminRoutes.tap('rollout', ({ lazy }) =>
    lazy(
      ['GET /rollout', 'POST /rollout/pause', 'POST /rollout/resume', 'POST /rollout/abort', 'POST /rollout/promote'],
      async () => (await import('./steps/admin-routes.ts')).addRolloutRoutes,
    ),
  );
  registry.contribute(references, { name: '@sluice/rollout', load: () => import('./reference.ts') });
}
