/** Admin API route `GET /logs/stream`: streams live log lines. */
import { SluiceError } from '@sluice/base';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import { EventStreams } from '../events/event-streams.ts';
import { logTailToken } from './tail.ts';

/** Maximum length of the search string, in characters. */
const maxSearchLength = 200;

export function addLogRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('../admin-operations.ts')).operations);
  const streams = new EventStreams({
    clients: 16,
    waiting: 1000,
    full: (limit) => refusal(`log streams are limited to ${limit} clients; close one of them`, 503),
  });
  router.get('/logs/stream', async (request, response) => {
    const tail = server.service(logTailToken);
    if (tail === undefined) throw refusal('this server does not stream logs', 404);
    const wanted = textIn(request, 'find').toLowerCase();
    const only = textIn(request, 'output');
    await streams.send(response, (sendEvent) => {
      // Notify the client that the stream is complete from this point on.
      sendEvent('following', '{}');
      return tail.watch((output, lines, dropped) => {
        if (only !== '' && output !== only) return;
        for (const line of lines)
          if (wanted === '' || line.toLowerCase().includes(wanted)) sendEvent('line', JSON.stringify({ output, line }));
        if (dropped > 0) sendEvent('dropped', JSON.stringify({ output, lines: dropped }));
      });
    });
  });
}

function textIn({ query }: AdminRequest, name: string): string {
  const [text = ''] = [query[name] ?? []].flat();
  if (text.length <= maxSearchLength) return text;
  throw refusal(`${name} has ${text.length} characters, which exceeds the maximum of ${maxSearchLength}`, 400);
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_LOGS', message, { status });
}
