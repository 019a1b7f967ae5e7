/** Server-sent events (HTML §9.2) for a client of the admin API. One that reads too slowly loses the oldest; it costs no memory. */
import { guarded, taskOf } from '@sluice/base';
import type { AdminResponse } from '@sluice/registry';

/** Writes one event; its data is one line. */
export type Tell = (event: string, data: string) => void;

/** Sends what `follow` tells, until the client goes away. `follow` gives what ends it; `maxWaiting` events may wait. */
export async function sendEvents(
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
