/** Registers `/rollout` and the metrics of gradual rollouts. */
import { references, type AdminRequest, type AdminResponse, type Registry, type RunningServer } from '@sluice/registry';
import { metricsToken } from '@sluice/telemetry';
import { collectRollouts } from './steps/metrics.ts';
import { canaryError } from '@sluice/reconciler';
import { stepRolloutsToken, type RolloutOrder } from './steps/rollouts.ts';
import { shownSteps } from './steps/state.ts';

const orders: readonly RolloutOrder[] = ['pause', 'resume', 'abort', 'promote'];

export function register(registry: Registry): void {
  registry.hooks.adminRoutes.tap('rollout', ({ router, server, describe }) => {
    describe(async () => (await import('./steps/operations.ts')).operations);
    router.get('/rollout', async (_request, response) => {
      const rollouts = server.service(stepRolloutsToken);
      await rollouts?.opened();
      const last = rollouts?.last ?? null;
      response.json(last === null ? { state: 'none' } : shownSteps(last));
    });
    for (const what of orders)
      router.post(`/rollout/${what}`, (request, response) => order(server, what, request, response));
  });
  registry.hooks.server.tap('rollout', (server) => {
    const rollouts = server.service(stepRolloutsToken);
    const metrics = server.service(metricsToken);
    if (rollouts !== undefined && metrics !== undefined) collectRollouts(metrics, rollouts);
  });
  registry.contribute(references, { name: '@sluice/rollout', load: () => import('./reference.ts') });
}

async function order(
  server: RunningServer,
  what: RolloutOrder,
  { by }: AdminRequest,
  response: AdminResponse,
): Promise<void> {
  const rollouts = server.service(stepRolloutsToken);
  if (rollouts === undefined) throw canaryError('this server does not support rollouts');
  response.json(shownSteps(await rollouts.order(what, by ?? 'a client')));
}
