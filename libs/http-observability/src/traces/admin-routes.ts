/** Admin API endpoint `/traces`. `POST` starts a recording, `GET` returns recorded requests, and `DELETE` ends recordings. */
import { SluiceError } from '@sluice/base';
import { EventStreams } from '@sluice/telemetry';
import type { AdminRequest, AdminRoutes } from '@sluice/registry';
import { requestTracesToken, type RequestTraces } from './request-traces.ts';

export function addTraceRoutes({ router, raw, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  const streams = new EventStreams({
    clients: 64,
    // Queue size: all stored traces plus a margin.
    waiting: 1100,
    full: (max) => refusal(`trace streams are limited to ${max} clients; close one`, 503),
  });
  const recorded = (): RequestTraces => {
    const traces = server.service(requestTracesToken);
    if (traces === undefined) throw refusal('this server does not record requests', 404);
    return traces;
  };
  router.post('/traces', raw, async ({ body = Buffer.alloc(0) }, response) => {
    const { readRecording } = await import('./read-recording.ts');
    response.json(recorded().begin(readRecording(body)));
  });
  router.delete('/traces', (request, response) => {
    response.json({ ended: recorded().drop(idIn(request)) });
  });
  router.get('/traces', async (request, response) => {
    const traces = recorded();
    const id = idIn(request);
    if (id !== null && traces.recordings(id).length === 0)
      throw refusal(`recording ${JSON.stringify(id)} does not exist`, 404);
    if (!followsIn(request) || wantsJson(request)) {
      response.json({ recordings: traces.recordings(id), traces: traces.traces(id) });
      return;
    }
    await streams.send(response, (send) => {
      for (const recording of traces.recordings(id)) send('recording', JSON.stringify(recording));
      for (const trace of traces.traces(id)) send('trace', JSON.stringify(trace));
      return traces.follow((event, value) => {
        const of = 'recording' in value ? value.recording : value.id;
        if (id === null || of === id) send(event, JSON.stringify(value));
      });
    });
  });
}

/** Reports whether the client requests an event stream. */
function followsIn({ query: { follow = 'true' } }: AdminRequest): boolean {
  if (follow !== 'true' && follow !== 'false')
    throw refusal(`follow must be true or false, not ${JSON.stringify(follow)}`, 400);
  return follow === 'true';
}

function idIn({ query }: AdminRequest): string | null {
  const [id = null] = [query['id'] ?? []].flat();
  return id;
}

function wantsJson(request: AdminRequest): boolean {
  return request.get('accept')?.includes('application/json') ?? false;
}

function refusal(message: string, status: number): SluiceError {
  return new SluiceError('ERR_TRACES', message, { status });
}
