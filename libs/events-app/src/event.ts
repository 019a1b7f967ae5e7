/** Events: what happened, where, and what handlers made of it. */
import { cloudEvent, serverEvent, type CloudEvent, type EventData, type ServerEvent } from '@sluice/telemetry';

/** Something that happened in the server. */
export class Event implements ServerEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** What happened, such as `cert_obtained`. */
  readonly name: string;
  /** Dotted name of the module it came from; empty for the server itself. */
  readonly origin: string;
  /** Facts; handlers may add to them. */
  readonly data: Record<string, unknown>;
  /** Why a handler stopped it; `null` while none did. The emitter may change its course because of this. */
  aborted: Error | null = null;

  constructor({ id, time, name, origin, data }: ServerEvent) {
    this.id = id;
    this.time = time;
    this.name = name;
    this.origin = origin;
    this.data = { ...data };
  }

  /** An event of now. */
  static of(origin: string, name: string, data: EventData): Event {
    return new Event(serverEvent(origin, name, data));
  }

  /** As `{event}` and logs have it. */
  toJSON(): CloudEvent {
    return cloudEvent(this);
  }
}

const brand = Symbol.for('sluice.event-aborted');

/** Raised by a handler to stop an event: no further handler sees it. */
export class AbortedError extends Error {
  readonly code = 'ERR_EVENT_ABORTED';

  constructor(message = 'event was aborted by a handler', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AbortedError';
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Tells an {@link AbortedError} of any copy of this package. */
export function isAborted(error: unknown): error is AbortedError {
  return typeof error === 'object' && error !== null && brand in error;
}
