/** Upstreams on loopback addresses, which respond with the request that they received. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A request as the upstream received it. */
export interface Received {
  /** Address and name of the port, such as `127.0.0.1 main`. */
  readonly upstream: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** Address used only by the container that synchronizes both proxies. */
export const markerAddress = '127.0.0.4';

const addresses = ['127.0.0.1', '127.0.0.2', '127.0.0.3', markerAddress] as const;

export class Upstreams {
  /** Port that the containers expose. */
  main = 0;
  /** Second port of each container. */
  other = 0;
  /** Port for HTTP/2 without TLS. */
  h2c = 0;
  readonly #servers: (Server | Http2Server)[] = [];
  /** Addresses that respond to `/up` with 503. */
  readonly unhealthy = new Set<string>();

  async open(): Promise<void> {
    this.main = await this.#listen('main');
    this.other = await this.#listen('other');
    const server = createHttp2Server((request, response) => {
      this.#respond('127.0.0.1 h2c', request as unknown as IncomingMessage, response as unknown as ServerResponse);
    });
    await new Promise<void>((resolve) => server.listen(0, addresses[0], resolve));
    this.#servers.push(server);
    this.h2c = (server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      if ('closeAllConnections' in server) server.closeAllConnections();
      server.close();
    }
  }

  /** Listens on the same port of each address. */
  async #listen(kind: string): Promise<number> {
    let port = 0;
    for (const address of addresses) {
      const server = createServer((request, response) => this.#respond(`${address} ${kind}`, request, response));
      await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, address, resolve));
      this.#servers.push(server);
      port = (server.address() as AddressInfo).port;
    }
    return port;
  }

  /**
   * `/status/503` responds with this status, `/size/5000` with a body of this size, and `/slow` after 400 ms. `/auth`
   * accepts requests with `X-Secret: yes`.
   */
  #respond(upstream: string, request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '', headers } = request;
    const [, kind, argument = ''] = /^\/(status|size|slow|auth|up)\/?([^/?]*)/.exec(url) ?? [];
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const received: Received = { upstream, method, url, headers, body };
      const text = JSON.stringify(received);
      response.setHeader('Content-Type', kind === 'size' ? 'text/plain' : 'application/json');
      response.setHeader('X-Upstream', upstream);
      response.setHeader('X-From-Upstream', 'yes');
      if (kind === 'status') response.writeHead(Number(argument)).end(text);
      else if (kind === 'size') response.end('a'.repeat(Number(argument)));
      else if (kind === 'slow') setTimeout(() => response.end(text), 400);
      else if (kind === 'auth') {
        const isAllowed = headers['x-secret'] === 'yes';
        response.setHeader('X-User', 'bob').setHeader('X-Seen', `${method} ${headers['x-forwarded-uri'] as string}`);
        response.writeHead(isAllowed ? 200 : 401).end(isAllowed ? 'ok' : 'denied by the service');
      } else if (kind === 'up') response.writeHead(this.unhealthy.has(upstream) ? 503 : 200).end();
      else response.end(text);
    });
  }
}
