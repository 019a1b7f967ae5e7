/** JSON form of events in CloudEvents 1.0 format, as in Caddy. */
import type { EventData, ServerEvent } from './hub.ts';

/** An event with CloudEvents attribute names. */
export interface CloudEvent {
  readonly id: string;
  /** Origin of the event; `sluice` for events of the server itself. */
  readonly source: string;
  readonly specversion: '1.0';
  readonly type: string;
  /** Time of the event, in RFC 3339 format. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: EventData;
}

/** Returns the JSON form of an event. */
export function cloudEvent({ id, time, origin, name, data }: ServerEvent): CloudEvent {
  return {
    id,
    source: origin === '' ? 'sluice' : origin,
    specversion: '1.0',
    type: name,
    time: new Date(time).toISOString(),
    datacontenttype: 'application/json',
    data,
  };
}
