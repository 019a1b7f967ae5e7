/** Server events. */
import { cloudEvent, serverEvent, type CloudEvent, type EventData, type ServerEvent } from '@sluice/telemetry';

export class Event implements ServerEvent {
  readonly id: string;
  readonly time: number;
  /** Event name, such as `cert_obtained`. */
  readonly name: string;
  /** Dotted name of the module that emitted the event. Empty for the server itself. */
  readonly origin: string;
  /** Event data. Handlers may add fields. */
  readonly data: Record<string, unknown>;
  /** Reason why a handler aborted the event. `null` if it was not aborted. The emitter may check this field. */
  aborted: Error | null = null;

  constructor({ id, time, name, origin, data }: ServerEvent) {
    this.id = id;
    this.time = time;
    this.name = name;
    this.origin = origin;
    this.data = { ...data };
  }

  /** Creates an event with the current time. */
  static of(origin: string, name: string, data: EventData): Event {
    return new Event(serverEvent(origin, name, data));
  }

  /** Returns the JSON representation of the event for `{event}` and logs. */
  toJSON(): CloudEvent {
    return cloudEvent(this);
  }
}

const brand = Symbol.for('sluice.event-aborted');

/** Error that a handler throws to abort an event. Later handlers do not receive the event. */
export class AbortedError extends Error {
  readonly code = 'ERR_EVENT_ABORTED';

  constructor(message = 'event was aborted by a handler', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AbortedError';
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Reports whether an error is an {@link AbortedError}, even if another copy of this package created the error. */
export function isAborted(error: unknown): error is AbortedError {
  return typeof error === 'object' && error !== null && brand in error;
}
