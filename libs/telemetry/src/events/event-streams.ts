/** Server-sent events (HTML §9.2) for clients of the admin API. */
import { guarded, taskOf } from '@sluice/base';
import type { AdminResponse } from '@sluice/registry';

/** Writes one event; its data is one line. */
export type Tell = (event: string, data: string) => void;

/** What the clients of one route may take together. */
interface StreamLimits {
  /** Most clients at a time. */
  readonly clients: number;
  /** Events that wait for a slow client, which loses the oldest beyond that: it costs no memory. */
  readonly waiting: number;
  /** The error for one client more. */
  readonly full: (clients: number) => Error;
}

/** The streams of one route. */
export class EventStreams {
  readonly #limits: StreamLimits;
  #clients = 0;

  constructor(limits: StreamLimits) {
    this.#limits = limits;
  }

  /** Sends what `follow` tells, until the client goes away. `follow` gives what ends it. */
  async send(response: AdminResponse, follow: (tell: Tell) => () => void): Promise<void> {
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
  follow: (tell: Tell) => () => void,
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
