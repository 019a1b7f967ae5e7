/**
 * Faults: exceptions that nothing expected. Who catches one says here whose work it was; the threads of the server listen,
 * log and count (`fault-record.ts`). The channel belongs to the thread, not to a copy of this package, so that third-party
 * modules that bring a copy of their own are heard, too.
 */
import { channel } from 'node:diagnostics_channel';
import type { Logger } from '../logging/logger.ts';

/** What a fault ended: nothing beyond it notices. */
export type FaultPart =
  /** One request and its response. */
  | 'exchange'
  /** One connection of a client or of an upstream, with its requests. */
  | 'connection'
  /** One run of a timer, a file watch, a message between threads, a task in the background: the next one runs. */
  | 'task'
  /** One log entry. */
  | 'log'
  /** Unknown: the net below all guards caught it. */
  | 'thread';

/** What is said of a fault. */
export interface Fault {
  readonly part: FaultPart;
  /** Whatever was thrown. */
  readonly error: unknown;
  /** Id of the module that threw; empty where it is not known. */
  readonly module: string;
  /** Place of the route in the configuration; empty where there is none. */
  readonly route: string;
  /** Where it is logged; `null`: by the thread. */
  readonly log: Logger | null;
}

const faults = channel('sluice.fault');

/** Says that something failed. Never throws. */
export function reportFault(fault: Partial<Fault> & Pick<Fault, 'part' | 'error'>): void {
  faults.publish({ module: '', route: '', log: null, ...fault } satisfies Fault);
}

/** Calls back with each fault of this thread. Gives the function that ends it. */
export function onFault(listener: (fault: Fault) => void): () => void {
  const subscriber = (message: unknown): void => listener(message as Fault);
  faults.subscribe(subscriber);
  return () => {
    faults.unsubscribe(subscriber);
  };
}
