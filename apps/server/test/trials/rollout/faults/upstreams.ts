/** Upstreams of the site, listening on a loopback address. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Ports of the upstreams. `main` and `replica` are equivalent. `slow`, `broken`, `other` and `leaking` are wrong upstreams. */
export interface Ports {
  readonly main: number;
  readonly replica: number;
  readonly catalog: number;
  readonly back: number;
  readonly slow: number;
  readonly broken: number;
  readonly other: number;
  readonly leaking: number;
}

export interface Upstreams {
  readonly ports: Ports;
  close(): void;
}

/** Response time of reports, and delay of the slow upstream, in milliseconds. */
const reportTime = 60;
const slowBy = 1200;

export async function startUpstreams(): Promise<Upstreams> {
  const servers: Server[] = [];
  const start = async (respond: RequestListener): Promise<number> => {
    const server = createServer({ keepAliveTimeout: 60_000 }, respond);
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  };
  let served = 0;
  const ports: Ports = {
    main: await start(main),
    replica: await start(main),
    catalog: await start(catalog),
    back: await start(back),
    slow: await start((request, response) => void setTimeout(() => main(request, response), slowBy)),
    broken: await start((request, response) =>
      request.url?.includes('orders') === true ? fail(response) : main(request, response),
    ),
    other: await start((request, response) => {
      request.resume();
      say(response, 200, 'Welcome to nothing');
    }),
    // An upstream that becomes slower with each request, as if it ran out of memory.
    leaking: await start(
      (request, response) => void setTimeout(() => main(request, response), Math.min(served++ * 2, 1500)),
    ),
  };
  const close = (): void => {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
  };
  return { ports, close };
}

function main(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', headers, method } = request;
  const path = url.split('?')[0] ?? '';
  if (path === '/healthz') return say(response, 200, 'ok');
  if (headers['x-client'] === undefined) return say(response, 400, 'no client');
  response.setHeader('X-Internal', '10.1.2.3');
  if (path.startsWith('/upload/')) {
    let size = 0;
    request.on('data', (chunk: Buffer) => (size += chunk.length)).on('end', () => say(response, 201, `${size} bytes`));
    return;
  }
  request.resume();
  if (path === '/login') {
    response.setHeader('Set-Cookie', 'sid=1; Path=/; Secure; HttpOnly');
    return say(response, 200, `log in`);
  }
  if (path.startsWith('/account/')) return say(response, 200, `account of ${String(headers['x-tenant'] ?? 'no one')}`);
  if (/^\/(api|items|search)/.test(path)) {
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('ETag', '"1"');
    return say(response, 200, JSON.stringify({ path: url, method, client: headers['x-client'] }));
  }
  say(response, 404, 'not found');
}

/** Responds successfully only to paths that contain `/v2`. */
function catalog({ url = '' }: IncomingMessage, response: ServerResponse): void {
  if (url === '/healthz') return say(response, 200, 'ok');
  if (url === '/feed') {
    response.setHeader('Cache-Control', 'max-age=2');
    return say(response, 200, 'feed of the catalog');
  }
  if (!url.startsWith('/v2/')) return say(response, 404, 'no such product');
  say(response, 200, `product ${url.slice(4)}`);
}

function back(request: IncomingMessage, response: ServerResponse): void {
  const { url = '', headers } = request;
  request.resume();
  if (url === '/healthz') return say(response, 200, 'ok');
  const respond = (): void =>
    say(
      response,
      200,
      `back ${url} ${String(headers['x-version'] ?? '')} ${String(headers.host).replace(/:\d+$/, '')}`,
    );
  if (url.startsWith('/reports/')) setTimeout(respond, reportTime);
  else respond();
}

function fail(response: ServerResponse): void {
  say(response, 500, 'failed');
}

function say(response: ServerResponse, status: number, body: string): void {
  response.statusCode = status;
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'text/plain');
  response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(body);
}
