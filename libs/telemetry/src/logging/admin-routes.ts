/** `GET /logs/stream` in the admin API: live log lines. */
import { SluiceError } from '@sluice/base';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import { EventStreams } from '../events/event-streams.ts';
import { logTailToken } from './tail.ts';

/** Maximum length of the search text, in characters. */
const longestSearch = 200;

export function addLogRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('../admin-operations.ts')).operations);
  const streams = new EventStreams({
    clients: 16,
    waiting: 1000,
    full: (most) => refusal(`log streams are limited to ${most} clients; close one`, 503),
  });
  router.get('/logs/stream', async (request, response) => {
    const tail = server.service(logTailToken);
    if (tail === undefined) throw refusal('this server does not stream logs', 404);
    const wanted = textIn(request, 'find').toLowerCase();
    const only = textIn(request, 'output');
    await streams.send(response, (tell) => {
      // Tells clients that no later lines are missed.
      tell('following', '{}');
      return tail.watch((output, lines, dropped) => {
        if (only !== '' && output !== only) return;
        for (const line of lines)
          if (wanted === '' || line.toLowerCase().includes(wanted)) tell('line', JSON.stringify({ output, line }));
        if (dropped > 0) tell('dropped', JSON.stringify({ output, lines: dropped }));
      });
    });
  });
}

function textIn({ query }: AdminRequest, name: string): string {
  const [text = ''] = [query[name] ?? []].flat();
  if (text.length <= longestSearch) return text;
  throw refusal(`${name} has ${text.length} characters; the maximum is ${longestSearch}`, 400);
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_LOGS', message, { status });
}
