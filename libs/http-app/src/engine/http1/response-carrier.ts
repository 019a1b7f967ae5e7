/** The connection beneath a response. */
import type { Output } from './output.ts';

/** What a response needs of its connection. */
export interface ResponseCarrier {
  readonly output: Output;
  /** Whether the client can still be reached. */
  readonly gone: boolean;
  /** The time, in milliseconds of `performance.now()`; a little old rather than dear. */
  moment(): number;
  /** Whether another request may follow. Asked when the head is sent. */
  mayPersist(): boolean;
  /** The response was ended; `persist` tells whether the connection can go on. */
  responded(persist: boolean): void;
  /** Resolves when more can be written. */
  drained(): Promise<void>;
}
