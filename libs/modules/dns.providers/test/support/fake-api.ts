/** Starts small servers that simulate the API of a DNS provider as documented. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Json } from '@sluice/base';
import { sendRequest, type ApiTransport } from '../../src/common/transport.ts';

export interface FakeRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Request URL. */
  readonly url: string;
}

export type FakeResponse = readonly [status: number, body?: Json | string, headers?: Readonly<Record<string, string>>];

export type Fake = (request: FakeRequest) => FakeResponse;

/** A running simulated API, and the transport that connects to it. Close it at the end of the test. */
export interface FakeApi {
  readonly transport: ApiTransport;
  /** Methods and paths of the received requests. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** Starts a simulated API. The transport sends requests for every host to it. */
export async function startFake(fake: Fake): Promise<FakeApi> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://fake');
      const host = String(request.headers['x-wanted-origin']);
      requests.push(`${request.method} ${url.pathname}`);
      const [status, body = '', headers = {}] = fake({
        method: request.method ?? '',
        host,
        path: decodeURIComponent(url.pathname),
        query: Object.fromEntries(url.searchParams),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        url: `${host}${request.url}`,
      });
      response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    transport: (request) => {
      const { origin, pathname, search } = new URL(request.url);
      const headers = { ...request.headers, 'x-wanted-origin': origin };
      return sendRequest({ ...request, headers, url: `http://127.0.0.1:${port}${pathname}${search}` });
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

export interface FakeRecord {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly ttl: number;
  readonly priority?: number;
}

/** Records with IDs. */
export class FakeRecords {
  readonly all: FakeRecord[] = [];
  #next = 1;

  add(record: Omit<FakeRecord, 'id'>): FakeRecord {
    const added = { id: String(this.#next++), ...record };
    this.all.push(added);
    return added;
  }

  find(filter: Readonly<Partial<FakeRecord>>): FakeRecord[] {
    return this.all.filter((record) =>
      Object.entries(filter).every(([key, value]) => value === undefined || record[key as keyof FakeRecord] === value),
    );
  }

  /** Removes a record. Returns whether the record existed. */
  remove(id: string): boolean {
    const at = this.all.findIndex((record) => record.id === id);
    if (at >= 0) this.all.splice(at, 1);
    return at >= 0;
  }
}

/** Stores DNS records as sets, by name and type. */
export class FakeSets {
  readonly all = new Map<string, { name: string; type: string; ttl: number; values: string[] }>();

  get(name: string, type: string): { name: string; type: string; ttl: number; values: string[] } | undefined {
    return this.all.get(`${name} ${type}`);
  }

  set(name: string, type: string, ttl: number, values: string[]): void {
    if (values.length === 0) this.all.delete(`${name} ${type}`);
    else this.all.set(`${name} ${type}`, { name, type, ttl, values });
  }
}
