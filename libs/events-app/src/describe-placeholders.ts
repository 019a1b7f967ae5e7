/** Descriptions of event placeholders, loaded only for the reference. The type ensures that none is missing. */
import type { EventPlaceholder } from './placeholders.ts';

/** Descriptions by name. */
export const eventPlaceholders: Readonly<Record<EventPlaceholder, string>> = {
  event: 'The event as JSON (CloudEvents).',
  'event.id': 'ID of the event.',
  'event.name': 'Name of the event.',
  'event.time': 'Time of the event, as `2026-01-31T12:00:00.000Z`.',
  'event.time_unix': 'Time of the event, in seconds since 1970.',
  'event.module': 'Origin of the event.',
  'event.data': 'Data of the event, as JSON.',
  'event.data.<name>': 'Field of the event data.',
};
