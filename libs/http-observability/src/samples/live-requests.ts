/** Passes requests that are being served to a subscriber in the control thread. They contain secrets, so they are never stored. */
import { guarded, taskOf } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { topic, type ThreadBus, type Topic } from '@sluice/threads';

/** Sent to traffic threads: time in milliseconds for which they report requests; 0 to end. */
export const liveTopic: Topic<number> = topic('samples.live');

/** Sent to the control thread: a request with its secrets. */
export const liveRequestTopic: Topic<unknown> = topic('samples.live-request');

/** Serves one subscriber at a time. */
export class LiveRequests {
  readonly #bus: ThreadBus;
  #take: ((record: unknown) => void) | null = null;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    bus.onReport(
      liveRequestTopic,
      guarded(taskOf('samples'), (record) => this.#take?.(record)),
    );
  }

  /** Subscribes for a time. Threads report the requests that they select for the sample. Returns a function that ends the subscription. */
  listen(seconds: number, take: (record: unknown) => void): () => void {
    this.#take = take;
    this.#bus.broadcast(liveTopic, seconds * 1000);
    return () => {
      if (this.#take !== take) return;
      this.#take = null;
      this.#bus.broadcast(liveTopic, 0);
    };
  }
}

/** Token for the live requests of a server: `server.service(liveRequestsToken)`. */
export const liveRequestsToken: Token<LiveRequests> = token<LiveRequests>('live-requests');
