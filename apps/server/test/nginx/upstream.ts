/** An upstream for the test cases. It reports the request as JSON. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Header fields that the upstream reports. Other fields differ between proxies. */
const reported = [
  'host',
  'x-real-ip',
  'x-scheme',
  'x-original-uri',
  'x-user',
  'x-custom',
  'x-set',
  'authorization',
  'content-length',
  'x-verify',
  'x-subject',
  'x-cert',
];

type TestResponse = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Upstream responses by path prefix. */
const responses: readonly (readonly [prefix: string, respond: TestResponse])[] = [
  [
    '/status/',
    ({ url = '' }, response) =>
      void response.writeHead(Number(url.slice(8, 11)), { 'X-Status': 'yes' }).end('status\n'),
  ],
  [
    '/redirect',
    ({ headers }, response) =>
      void response.writeHead(302, { Location: `http://${headers.host ?? ''}/v1/there?a=b` }).end(),
  ],
  ['/relative', (_, response) => void response.writeHead(302, { Location: '/v1/there' }).end()],
  [
    '/cookie',
    (_, response) =>
      void response.writeHead(200, { 'Set-Cookie': 'a=b; Path=/v1; HttpOnly', 'X-Hidden': '1' }).end('cookie\n'),
  ],
  [
    '/check',
    ({ headers }, response) =>
      void response
        .writeHead(headers['x-token'] === 'good' ? 204 : headers['x-token'] === 'bad' ? 403 : 401, {
          'X-User': 'ann',
          'WWW-Authenticate': 'Bearer',
        })
        .end(),
  ],
  // Rejects requests without sending a challenge.
  ['/silent', ({ headers }, response) => void response.writeHead(headers['x-token'] === 'good' ? 204 : 401).end()],
  [
    '/html',
    (_, response) => void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>text</p>\n'.repeat(50)),
  ],
];

function report(name: string): TestResponse {
  return (request, response, body) => {
    const fields = Object.fromEntries(
      reported.flatMap((field) => (request.headers[field] === undefined ? [] : [[field, request.headers[field]]])),
    );
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ name, method: request.method, url: request.url, ...fields, body: body.length }));
  };
}

/** Starts an upstream. Each response contains `name`. */
export async function startUpstream(name: string): Promise<Server> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      const path = (request.url ?? '').replace(/^\/v1(?=\/)/, '');
      const respond = responses.find(([prefix]) => path.startsWith(prefix))?.[1] ?? report(name);
      if (path.startsWith('/status/')) request.url = path;
      respond(request, response, body);
    });
  });
  server.on('upgrade', (request, socket) => {
    socket.end(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nupgraded ${request.url ?? ''}\n`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

export function portOf(server: Pick<Server, 'address'>): number {
  return (server.address() as AddressInfo).port;
}
