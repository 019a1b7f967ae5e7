/** The app `events`. */
import type { Registry } from '@sluice/registry';
import { eventsAppModule } from './app.ts';

export {
  eventHandlers,
  eventsApp,
  eventsAppModule,
  type EventHandler,
  type EventsApp,
  type Subscription,
} from './app.ts';
export { AbortedError, Event, isAborted } from './event.ts';

/** Adds the app. */
export function register(registry: Registry): void {
  registry.add(eventsAppModule);
}
