/** Events: what happened, where, and what handlers made of it. */
import { randomUUID } from 'node:crypto';

/** Something that happened in the server. */
export class Event {
  readonly id: string = randomUUID();
  /** Milliseconds since 1970. */
  readonly time: number = Date.now();
  /** What happened, such as `cert_obtained`. */
  readonly name: string;
  /** Dotted name of the module it came from. */
  readonly origin: string;
  /** Facts; handlers may add to them. */
  readonly data: Record<string, unknown>;
  /** Why a handler stopped it; `null` while none did. The emitter may change its course because of this. */
  aborted: Error | null = null;

  constructor(origin: string, name: string, data: Readonly<Record<string, unknown>>) {
    this.origin = origin;
    this.name = name;
    this.data = { ...data };
  }
}

const brand = Symbol.for('sluice.event-aborted');

/** Raised by a handler to stop an event: no further handler sees it. */
export class AbortedError extends Error {
  readonly code = 'ERR_EVENT_ABORTED';

  constructor(message = 'the event was aborted by a handler', cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'AbortedError';
    Object.defineProperty(this, brand, { value: true });
  }
}

/** Tells an {@link AbortedError} of any copy of this package. */
export function isAborted(error: unknown): error is AbortedError {
  return typeof error === 'object' && error !== null && brand in error;
}
