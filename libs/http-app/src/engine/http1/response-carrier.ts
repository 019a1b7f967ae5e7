import type { Output } from './output.ts';

export interface ResponseCarrier {
  readonly output: Output;
  /** True if the client has disconnected. */
  readonly gone: boolean;
  /** Returns the time in milliseconds of `performance.now()`. May be slightly outdated, to save clock reads. */
  moment(): number;
  /** Reports whether the connection may serve another request. Called when the head is sent. */
  mayPersist(): boolean;
  /** Called when the response has ended. `persist` is true if the connection remains usable. */
  responded(persist: boolean): void;
  /** Resolves when more can be written. */
  drained(): Promise<void>;
}
