import { references, type Registry } from '@sluice/registry';
import { registerCaddyfile } from './caddyfile/register.ts';

export { eventsApp, type EventsApp } from './app.ts';
export { eventHandlers, type EventHandler } from './handler.ts';
export { AbortedError, Event } from './event.ts';
export { compileEventText } from './placeholders.ts';

export function register(registry: Registry): void {
  registry.add({ namespace: '', name: 'events', load: async () => (await import('./app.ts')).eventsAppModule });
  registerCaddyfile(registry);
  registry.hooks.adminRoutes.tap('events', ({ lazy }) =>
    lazy(['GET /events'], async () => (await import('./admin-routes.ts')).addEventRoutes),
  );
  registry.contribute(references, { name: '@sluice/events-app', load: () => import('./reference.ts') });
}
