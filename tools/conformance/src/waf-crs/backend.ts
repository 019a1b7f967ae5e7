/**
 * Upstream for the OWASP Core Rule Set tests. `/reflect` returns the response described by the JSON request body, like Albedo, the rule
 * set's test backend.
 */
import { createServer, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

interface Reflected {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly encodedBody?: string;
}

export async function startBackend(): Promise<Server> {
  const server = createServer((incoming, response) => {
    buffer(incoming).then(
      (body) => {
        if (incoming.url !== '/reflect') {
          response.end();
          return;
        }
        respond(response, body.toString());
      },
      () => response.destroy(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

function respond(response: ServerResponse, body: string): void {
  try {
    const { status = 200, headers = {}, body: text = '', encodedBody } = JSON.parse(body) as Reflected;
    // The HTTP library of Albedo, the original test backend, detects this content type.
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.writeHead(status, headers);
    response.end(encodedBody === undefined ? text : Buffer.from(encodedBody, 'base64'));
  } catch {
    response.writeHead(400).end();
  }
}
