import type { Output } from './output.ts';

export interface ResponseCarrier {
  readonly output: Output;
  /** True if the client has disconnected. */
  readonly gone: boolean;
  /** Returns the current `performance.now()` time in milliseconds. The value may be slightly outdated, to reduce the number of clock reads. */
  moment(): number;
  /** Reports whether the connection may serve another request. Called when the response headers are sent. */
  mayPersist(): boolean;
  /** Called when the response has ended. `persist` is true if the connection can be reused. */
  responded(persist: boolean): void;
  /** Resolves when the response can accept more data. */
  drained(): Promise<void>;
}
