/** Events as JSON (CloudEvents 1.0), as the reference shows them. */
import type { EventData, ServerEvent } from './hub.ts';

/** An event by the names of CloudEvents. */
export interface CloudEvent {
  readonly id: string;
  /** Where it came from; the server's own are from `sluice`. */
  readonly source: string;
  readonly specversion: '1.0';
  readonly type: string;
  /** RFC 3339. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  readonly data: EventData;
}

/** The JSON form of an event. */
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
