/** Tells upstreams who selects. */
export interface QueueTurn {
  /** True while a request in the queue selects an upstream, synchronously. Other requests leave places to waiting ones. */
  isServing: boolean;
}
