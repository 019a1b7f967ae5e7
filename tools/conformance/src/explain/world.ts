/** Resources for generated configurations: loopback upstreams that record requests, and a directory of files. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { mkdtempSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExplainRequest } from '@sluice/http-analysis';
import { freePort } from '@sluice/testing';

/** A request received by an upstream. */
export interface Received {
  readonly upstream: string;
  readonly method: string;
  readonly uri: string;
  readonly host: string;
  /** Header field values by lowercase name. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
}

/** Response of an upstream. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const page = `<!doctype html><title>A page</title>${'<p>some text of a page</p>'.repeat(120)}`;

/** Upstream responses. A request selects one with the `X-Answer` header. */
const answers: readonly Answer[] = [
  { status: 200, headers: { 'content-type': 'text/plain' }, body: 'from the upstream' },
  { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', etag: '"page"' }, body: page },
  { status: 204, headers: {}, body: '' },
  { status: 304, headers: { etag: '"page"' }, body: '' },
  { status: 404, headers: { 'content-type': 'application/json' }, body: '{"error":"none"}' },
  { status: 500, headers: { 'x-out': 'broken' }, body: 'broken' },
  { status: 302, headers: { location: '/elsewhere' }, body: '' },
  { status: 200, headers: {}, body: '<html><body>without a type</body></html>' },
  { status: 200, headers: { 'content-type': 'text/css', 'cache-control': 'no-transform' }, body: 'a{b:c}'.repeat(200) },
  {
    status: 201,
    headers: { 'content-type': 'text/plain', 'set-cookie': 'a=b', server: 'test', vary: 'Accept' },
    body: 'made',
  },
  { status: 205, headers: {}, body: '' },
  {
    status: 200,
    headers: { 'content-type': 'text/plain', 'transfer-encoding': 'chunked' },
    body: 'one two three '.repeat(60),
  },
];

export const answerCount = answers.length;

/** Upstreams and files used by one comparison. The caller must close them. */
export class World {
  readonly root: string;
  /** Dial addresses. */
  readonly upstreams: readonly string[];
  /** Dial address where nothing listens. */
  readonly dead: string;
  readonly #servers: readonly Server[];
  readonly #received: Received[] = [];

  private constructor(root: string, dead: string, servers: readonly Server[]) {
    this.root = root;
    this.dead = dead;
    this.#servers = servers;
    this.upstreams = servers.map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
    for (const [index, server] of servers.entries())
      server.on('request', (request, response) => {
        const { method = '', url = '' } = request;
        const headers: Record<string, string[]> = {};
        const { rawHeaders } = request;
        for (let i = 0; i < rawHeaders.length; i += 2)
          (headers[(rawHeaders[i] as string).toLowerCase()] ??= []).push(fromLatin1(rawHeaders[i + 1] as string));
        const [host = ''] = headers['host'] ?? [];
        delete headers['host'];
        this.#received.push({ upstream: this.upstreams[index] as string, method, uri: url, host, headers });
        const { status, headers: fields, body } = answerOf(String(request.headers['x-answer'] ?? ''), index);
        const isChunked = 'transfer-encoding' in fields;
        response.sendDate = false;
        response.writeHead(
          status,
          body === '' || isChunked ? fields : { ...fields, 'content-length': String(Buffer.byteLength(body)) },
        );
        request.resume().on('end', () => response.end(body));
      });
  }

  static async open(): Promise<World> {
    const root = mkdtempSync(join(tmpdir(), 'explain-'));
    mkdirSync(join(root, 'a'));
    const files = {
      'index.html': page,
      'a/index.html': '<p>a</p>',
      'a/b': 'plain',
      'x.php': '<?php ?>',
      'style.css': 'a{b:c}'.repeat(300),
    };
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(root, name), content);
      utimesSync(join(root, name), 1_700_000_000, 1_700_000_000);
    }
    const servers = Array.from({ length: 3 }, () => createServer({ keepAlive: true }));
    for (const server of servers) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }
    return new World(root, `127.0.0.1:${await freePort()}`, servers);
  }

  /** Returns the requests that upstreams received since the previous call. */
  take(): readonly Received[] {
    return this.#received.splice(0);
  }

  /** Returns the upstream responses for an `X-Answer` value, in the format that explanations accept. */
  responses(answer: string): NonNullable<ExplainRequest['responses']> {
    const living = this.upstreams.map((upstream, index) => ({ upstream, ...answerOf(answer, index) }));
    return [...living, { upstream: this.dead, error: 'refused' }];
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
    rmSync(this.root, { recursive: true });
  }
}

/** Returns the response of an upstream. `3` selects the same response for all upstreams. `3+` gives each upstream a different response. */
function answerOf(answer: string, index: number): Answer {
  const number = Number.parseInt(answer, 10) || 0;
  return answers[(number + (answer.endsWith('+') ? index : 0)) % answers.length] as Answer;
}

function fromLatin1(text: string): string {
  return Buffer.from(text, 'latin1').toString();
}
