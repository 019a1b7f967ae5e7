/** Admin API endpoint `/rollout`. `GET` returns the last gradual rollout, and `POST` controls the rollout in progress. */
import type { AdminRequest, AdminResponse, AdminRoutes, RunningServer } from '@sluice/registry';
import { canaryError } from '@sluice/reconciler';
import { rolloutOrders, stepRolloutsToken, type RolloutOrder } from './rollouts.ts';
import { shownSteps } from './state.ts';

export function addRolloutRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./operations.ts')).operations);
  router.get('/rollout', async (_request, response) => {
    const rollouts = server.service(stepRolloutsToken);
    await rollouts?.opened();
    const last = rollouts?.last ?? null;
    response.json(last === null ? { state: 'none' } : shownSteps(last));
  });
  for (const what of rolloutOrders)
    router.post(`/rollout/${what}`, (request, response) => order(server, what, request, response));
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
