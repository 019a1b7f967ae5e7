import type { Output } from './output.ts';

/** Connection services that a response needs. */
export interface ResponseCarrier {
  readonly output: Output;
  /** True if the client is unreachable. */
  readonly gone: boolean;
  /** The time, in milliseconds of `performance.now()`; slightly outdated, to save clock reads. */
  moment(): number;
  /** Reports whether another request may follow. Called when the head is sent. */
  mayPersist(): boolean;
  /** Called when the response has ended. `persist` is true if the connection stays usable. */
  responded(persist: boolean): void;
  /** Resolves when more can be written. */
  drained(): Promise<void>;
}
