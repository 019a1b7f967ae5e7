/** Descriptions of event placeholders, loaded only for the reference documentation. The type requires a description for each placeholder. */
import type { EventPlaceholder } from './placeholders.ts';

export const eventPlaceholders: Readonly<Record<EventPlaceholder, string>> = {
  event: 'The event as JSON (CloudEvents).',
  'event.id': 'ID of the event.',
  'event.name': 'Name of the event.',
  'event.time': 'Time of the event, as `2026-01-31T12:00:00.000Z`.',
  'event.time_unix': 'Time of the event, in seconds since the Unix epoch.',
  'event.module': 'Origin of the event.',
  'event.data': 'Event data, as JSON.',
  'event.data.<name>': 'Value of a field of the event data.',
};
