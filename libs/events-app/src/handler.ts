/** Interface of event handler modules. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Event } from './event.ts';

/** Handles events. A handler may add event data, and may throw an `AbortedError`. Other errors are logged. */
export interface EventHandler {
  handle(event: Event): void | Promise<void>;
}

/** Module namespace `events.handlers`, with the inline key `handler`. */
export const eventHandlers: Namespace<EventHandler> = namespace<EventHandler>('events.handlers');
