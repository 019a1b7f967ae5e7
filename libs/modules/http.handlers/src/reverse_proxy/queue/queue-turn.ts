/** Tells upstreams which request selects. */
export interface QueueTurn {
  /**
   * True while a queued request selects an upstream, synchronously. Other requests must not use capacity that waiting
   * requests need.
   */
  isServing: boolean;
}
