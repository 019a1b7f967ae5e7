/** Registration of this package with the server. */
import type { Registry } from '@sluice/registry';
import { addExplainRoutes } from './explain/admin-routes.ts';
import { tellOfBehavior } from './behavior/tell-of-behavior.ts';
import { tellOfRequests } from './explain/tell-of-requests.ts';
import { tellOfShadow } from './shadow/tell-of-shadow.ts';
import { registerLint } from './lint/register.ts';

/** Registers `/explain`, the dry-run comparisons of requests, and the `lint` checks. */
export function register(registry: Registry): void {
  registry.hooks.adminRoutes.tap('explain', addExplainRoutes);
  registry.hooks.server.tap('explain', tellOfRequests);
  registry.hooks.server.tap('behavior', tellOfBehavior);
  registry.hooks.server.tap('shadow', tellOfShadow);
  registerLint(registry);
}
