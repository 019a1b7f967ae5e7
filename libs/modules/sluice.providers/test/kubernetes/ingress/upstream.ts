import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeObject } from '../fake-api-server.ts';

export interface Received {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export class Upstream {
  readonly name: string;
  /** Returns the status and header fields to respond with. */
  respond: (url: string) => { readonly status: number; readonly headers?: Readonly<Record<string, string>> } = () => ({
    status: 200,
  });
  readonly #server: Server;

  constructor(name: string) {
    this.name = name;
    this.#server = createServer((request, response) => {
      const { method = '', url = '', headers } = request;
      const { status, headers: fields = {} } = this.respond(url);
      response.writeHead(status, { 'Content-Type': 'application/json', ...fields });
      response.end(JSON.stringify({ name, method, url, headers }));
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  /** A Kubernetes Service and its endpoints that refer to this upstream. */
  get objects(): { readonly services: FakeObject[]; readonly slices: FakeObject[] } {
    const { name } = this;
    return {
      services: [{ metadata: { name, namespace: 'web' }, spec: { ports: [{ name: 'http', port: 80 }] } }],
      slices: [
        {
          metadata: { name: `${name}-1`, namespace: 'web', labels: { 'kubernetes.io/service-name': name } },
          ports: [{ name: 'http', port: this.port }],
          endpoints: [{ addresses: ['127.0.0.1'], conditions: { ready: true } }],
        },
      ],
    };
  }
}
