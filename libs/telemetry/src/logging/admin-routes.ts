/** `GET /logs/stream` of the admin API: the lines of logs as they are written. */
import { SluiceError } from '@sluice/base';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import { EventStreams } from '../events/event-streams.ts';
import { logTailToken } from './tail.ts';

/** Characters of what is searched for. */
const longestSearch = 200;

/** Adds the route. */
export function addLogRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('../admin-operations.ts')).operations);
  const streams = new EventStreams({
    clients: 16,
    waiting: 1000,
    full: (most) => refusal(`${most} clients follow the logs already; close one`, 503),
  });
  router.get('/logs/stream', async (request, response) => {
    const tail = server.service(logTailToken);
    if (tail === undefined) throw refusal('this server does not tell of its logs', 404);
    const wanted = textIn(request, 'find').toLowerCase();
    const only = textIn(request, 'output');
    await streams.send(response, (tell) => {
      // So that clients know that nothing is missed from now on.
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
  throw refusal(`${name} has ${text.length} characters, and at most ${longestSearch} are possible`, 400);
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_LOGS', message, { status });
}
