/**
 * Faults, which are unexpected exceptions. Guards report faults to this module, and the server threads log and count them
 * (`fault-record.ts`). All copies of this package in a thread share one channel. Faults of modules that bundle their own copy are therefore
 * reported too.
 */
import { channel } from 'node:diagnostics_channel';
import type { Logger } from '../logging/logger.ts';

/** Unit of work that a fault terminated. All other work continues. */
export type FaultPart =
  | 'exchange'
  /** One client or upstream connection, including all of its requests. */
  | 'connection'
  /** One run of a timer, file watcher, message handler, or background task. The next run is not affected. */
  | 'task'
  | 'log'
  /** The unit of work is unknown. The handler for uncaught exceptions reported the fault. */
  | 'thread';

export interface Fault {
  readonly part: FaultPart;
  /** The thrown value. */
  readonly error: unknown;
  /** ID of the module that threw the exception. Empty if unknown. */
  readonly module: string;
  /** Configuration path of the route. Empty if the fault doesn't belong to a route. */
  readonly route: string;
  /** Logger for the fault. `null` selects the thread's logger. */
  readonly log: Logger | null;
}

const faults = channel('sluice.fault');

/** Reports a fault to all subscribers. Never throws. */
export function reportFault(fault: Partial<Fault> & Pick<Fault, 'part' | 'error'>): void {
  faults.publish({ module: '', route: '', log: null, ...fault } satisfies Fault);
}

/** Subscribes to faults in this thread. Returns a function that unsubscribes. */
export function onFault(listener: (fault: Fault) => void): () => void {
  const subscriber = (message: unknown): void => listener(message as Fault);
  faults.subscribe(subscriber);
  return () => {
    faults.unsubscribe(subscriber);
  };
}
