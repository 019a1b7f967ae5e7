/** Contract of event handlers. */
import { namespace, type Namespace } from '@sluice/registry';
import type { Event } from './event.ts';

/** Handles events. May add event data and throw an `AbortedError`. Other errors are logged. */
export interface EventHandler {
  handle(event: Event): void | Promise<void>;
}

/** `events.handlers`: inline key `handler`. */
export const eventHandlers: Namespace<EventHandler> = namespace<EventHandler>('events.handlers');
