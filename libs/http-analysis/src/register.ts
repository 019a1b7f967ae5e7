/** Registers this package with the server. */
import type { Registry } from '@sluice/registry';
import { addExplainRoutes } from './explain/admin-routes.ts';
import { reportBehavior } from './behavior/report-behavior.ts';
import { reportRequests } from './explain/report-requests.ts';
import { reportShadow } from './shadow/report-shadow.ts';
import { registerLint } from './lint/register.ts';

/** Registers `/explain`, the request comparisons in dry runs, and the `lint` checks. */
export function register(registry: Registry): void {
  registry.hooks.adminRoutes.tap('explain', addExplainRoutes);
  registry.hooks.server.tap('explain', reportRequests);
  registry.hooks.server.tap('behavior', reportBehavior);
  registry.hooks.server.tap('shadow', reportShadow);
  registerLint(registry);
}
