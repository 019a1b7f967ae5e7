/** Server-sent events (HTML §9.2) for admin API clients. */
import { guarded, taskOf } from '@sluice/base';
import type { AdminResponse } from '@sluice/registry';

/** Writes one event. `data` must be a single line. */
export type SendEvent = (event: string, data: string) => void;

/** Limits shared by all clients of an endpoint. */
interface StreamLimits {
  readonly clients: number;
  /** Maximum number of events to buffer for a slow client. When the buffer is full, the oldest events are dropped. */
  readonly waiting: number;
  /** Creates the error for a client that is rejected because the maximum number of clients has been reached. */
  readonly full: (clients: number) => Error;
}

/** Event streams of one endpoint. */
export class EventStreams {
  readonly #limits: StreamLimits;
  #clients = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Sends events until the client disconnects. `follow` subscribes to events and returns a function that unsubscribes. */
  async send(response: AdminResponse, follow: (sendEvent: SendEvent) => () => void): Promise<void> {
    const { clients, waiting, full } = this.#limits;
    if (this.#clients >= clients) throw full(clients);
    this.#clients++;
    try {
      await sendEvents(response, follow, waiting);
    } finally {
      this.#clients--;
    }
  }
}

async function sendEvents(
  response: AdminResponse,
  follow: (sendEvent: SendEvent) => () => void,
  maxWaiting: number,
): Promise<void> {
  const waiting: string[] = [];
  const send = guarded(taskOf('admin'), () => {
    while (waiting.length > 0 && !response.writableNeedDrain) response.write(waiting.shift());
  });
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
  response.on('drain', send);
  const end = follow((event, data) => {
    waiting.push(`event: ${event}\ndata: ${data}\n\n`);
    if (waiting.length > maxWaiting) waiting.shift();
    send();
  });
  await new Promise((resolve) => response.once('close', resolve));
  end();
}
