/** State that distinguishes queued requests from other requests when an upstream is selected. */
export interface QueueTurn {
  /** True while a queued request synchronously selects an upstream. Other requests must not use capacity that waiting requests need. */
  isServing: boolean;
}
