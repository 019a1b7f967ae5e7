/**
 * Faults: unexpected exceptions. Guards report faults here, and the server threads log and count them (`fault-record.ts`). The channel
 * belongs to the thread, not to this copy of the package, so that faults of modules with a bundled copy are also reported.
 */
import { channel } from 'node:diagnostics_channel';
import type { Logger } from '../logging/logger.ts';

/** The unit of work that a fault terminated. Everything else continues. */
export type FaultPart =
  | 'exchange'
  /** One client or upstream connection, including its requests. */
  | 'connection'
  /** One run of a timer, file watch, message handler or background task. The next run is not affected. */
  | 'task'
  | 'log'
  /** Unknown: caught by the handler for uncaught exceptions. */
  | 'thread';

export interface Fault {
  readonly part: FaultPart;
  /** The thrown value. */
  readonly error: unknown;
  /** Id of the module that threw; empty if unknown. */
  readonly module: string;
  /** Configuration path of the route. Empty if none exists. */
  readonly route: string;
  /** Logger to report to; `null` means the thread's logger. */
  readonly log: Logger | null;
}

const faults = channel('sluice.fault');

/** Reports a fault. Never throws. */
export function reportFault(fault: Partial<Fault> & Pick<Fault, 'part' | 'error'>): void {
  faults.publish({ module: '', route: '', log: null, ...fault } satisfies Fault);
}

/** Subscribes to the faults of this thread. Returns a function that unsubscribes. */
export function onFault(listener: (fault: Fault) => void): () => void {
  const subscriber = (message: unknown): void => listener(message as Fault);
  faults.subscribe(subscriber);
  return () => {
    faults.unsubscribe(subscriber);
  };
}
