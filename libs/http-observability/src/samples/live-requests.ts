/** Passes live requests to a subscriber in the control thread. Live requests contain secrets, so they are never stored. */
import { guarded, taskOf } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import { topic, type ThreadBus, type Topic } from '@sluice/threads';

/** Message to traffic threads: the duration, in milliseconds, for which they report requests. 0 stops the reports. */
export const liveTopic: Topic<number> = topic('samples.live');

/** Message to the control thread: one request, including its secrets. */
export const liveRequestTopic: Topic<unknown> = topic('samples.live-request');

/** Provides live requests to one subscriber at a time. */
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

  /**
   * Subscribes for a limited time. Threads report the requests that they select as samples. Returns a function that cancels the
   * subscription.
   */
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

/** Service token of a server's live requests: `server.service(liveRequestsToken)`. */
export const liveRequestsToken: Token<LiveRequests> = token<LiveRequests>('live-requests');
