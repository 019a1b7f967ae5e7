/** What the server registers of this package. */
import { trafficMeters } from '@sluice/contracts';
import { references, type Registry } from '@sluice/registry';
import { httpAppModule } from './app.ts';
import { addExplainRoutes } from './explain/admin-routes.ts';
import { tellOfRequests } from './explain/tell-of-requests.ts';
import { tellOfHeld } from './held/tell-of-held.ts';
import { registerInverses } from './caddyfile/inverses.ts';
import { addStatsRoutes } from './stats-api/admin-routes.ts';
import { addTraceRoutes } from './traces/admin-routes.ts';
import { registerLint } from './lint/register.ts';
import { registerCaddyfile } from './caddyfile/register.ts';

/** Adds the app `http`, its directives, `/stats` and `/traces`. */
export function register(registry: Registry): void {
  registry.add(httpAppModule);
  registry.hooks.adminRoutes.tap('stats', addStatsRoutes);
  registry.hooks.adminRoutes.tap('traces', addTraceRoutes);
  registry.hooks.adminRoutes.tap('explain', addExplainRoutes);
  registry.hooks.server.tap('explain', tellOfRequests);
  registry.hooks.server.tap('held', tellOfHeld);
  registerCaddyfile(registry);
  registerInverses(registry);
  registerLint(registry);
  registry.contribute(trafficMeters, {
    name: 'http',
    load: async () => (await import('./stats-api/change-meter.ts')).meterChange,
  });
  registry.contribute(references, {
    name: '@sluice/http-app',
    load: async () => (await import('./reference.ts')).reference,
  });
}
