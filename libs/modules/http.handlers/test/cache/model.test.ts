/**
 * Sends requests with random timing and compares the responses with a model of the origin server. Responses may be collapsed, revalidated,
 * evicted, aborted or invalidated. Clients must receive only bytes of the version, variant and resource that the response names. They must
 * never receive a version that was invalidated before the request.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { ClientGoneError, httpApp, HttpError, type Exchange } from '@sluice/http-app';
import { makeExchange, type MemoryResponse, type TestRequest, type TestServer } from '@sluice/testing';
import { withCache, type Respond } from './support.ts';

const paths = ['/small', '/large', '/vary', '/stream', '/never', '/stale'];
const sizes: Readonly<Record<string, number>> = { '/small': 500, '/large': 150_000, '/vary': 3000, '/stream': 70_000 };
const controls: Readonly<Record<string, readonly string[]>> = {
  '/never': ['no-store', 'private, max-age=60'],
  '/stale': ['max-age=0, stale-while-revalidate=60', 'max-age=0, stale-if-error=60', 'max-age=60'],
};
const defaultControls = ['max-age=60', 'max-age=0', 'no-cache', 'max-age=60, must-revalidate', 'public'];

/** Returns a generator of random integers below a limit (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};

/** Model of the origin server. Its resources have versions, each with a different body. */
class Model {
  readonly random: (below: number) => number;
  readonly versions = new Map<string, number>(paths.map((path) => [path, 1]));

  constructor(seed: number) {
    this.random = randomOf(seed);
  }

  body(path: string, version: number, variant: string): Buffer {
    const text = `${path} ${version} ${variant}|`;
    return Buffer.alloc(sizes[path] ?? 1000, text);
  }

  readonly respond: Respond = async (exchange) => {
    const { random } = this;
    const { path, headers, response, method } = exchange;
    await turns(random(4));
    if (method === 'POST') {
      this.versions.set(path, (this.versions.get(path) ?? 0) + 1);
      response.writeHead(204);
      response.end();
      return;
    }
    if (random(12) === 0) throw new HttpError(502, 'no upstream');
    if (exchange.aborted) throw new ClientGoneError();
    const variant = path === '/vary' ? (headers.get('x-kind') ?? '') : '';
    const version = this.versions.get(path) ?? 0;
    const etag = `"${version}-${variant}"`;
    const choices = controls[path] ?? defaultControls;
    response.headers.set('cache-control', choices[random(choices.length)] as string);
    response.headers.set('etag', etag);
    if (path === '/vary') response.headers.set('vary', 'x-kind');
    if (headers.get('if-none-match') === etag) {
      response.writeHead(304);
      response.end();
      return;
    }
    await this.#send(exchange, this.body(path, version, variant));
  };

  async #send({ response, method, path, headers }: Exchange, body: Buffer): Promise<void> {
    const { random } = this;
    const range = /^bytes=(\d+)-(\d+)$/.exec(headers.get('range') ?? '');
    let sent = body;
    if (range !== null && Number(range[1]) < body.length) {
      sent = body.subarray(Number(range[1]), Number(range[2]) + 1);
      const last = Number(range[1]) + sent.length - 1;
      response.headers.set('content-range', `bytes ${range[1]}-${last}/${body.length}`);
    }
    if (path !== '/stream') response.headers.set('content-length', String(sent.length));
    response.writeHead(sent === body ? 200 : 206);
    if (method === 'HEAD') {
      response.end();
      return;
    }
    // Reuses one buffer for all chunks, as proxies do.
    const buffer = Buffer.alloc(40_000);
    for (let at = 0; at < sent.length; at += buffer.length) {
      if (random(60) === 0) throw new HttpError(502, 'the upstream broke off');
      const piece = sent.subarray(at, at + buffer.length);
      piece.copy(buffer);
      response.write(buffer.subarray(0, piece.length));
      await turns(random(3));
      buffer.fill('!');
    }
    response.end();
  }

  request(): TestRequest {
    const { random } = this;
    const path = paths[random(paths.length)] as string;
    const version = Math.max(1, (this.versions.get(path) ?? 1) - random(2));
    const kind = String(random(3));
    const headers: Record<string, string> = path === '/vary' ? { 'x-kind': kind } : {};
    if (random(4) === 0) headers['if-none-match'] = `"${version}-${path === '/vary' ? kind : ''}"`;
    if (random(4) === 0) headers['range'] = `bytes=${random(300)}-${300 + random(90_000)}`;
    if (headers['range'] !== undefined && random(2) === 0) headers['if-range'] = `"${version}-"`;
    if (random(10) === 0) headers['cache-control'] = random(2) === 0 ? 'no-cache' : 'max-age=0';
    return { path, headers, method: ['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST'][random(7)] as string };
  }
}

/** Sends one request and verifies the response. */
async function ask(model: Model, server: TestServer): Promise<void> {
  const what = model.request();
  const path = what.path ?? '';
  const exchange = makeExchange(what);
  const least = model.versions.get(path) ?? 0;
  const [running] = server.runtime.app(httpApp)?.servers.values() ?? [];
  const pending = running?.handle(exchange);
  const isAborted = model.random(15) === 0;
  if (isAborted) {
    await turns(model.random(4));
    if (!exchange.over) exchange.abort();
  }
  await pending;
  if (what.method === 'POST' || isAborted) return;
  const { status, body, sent, headers } = exchange.writer as MemoryResponse;
  const fields = sent ?? headers;
  const detail = JSON.stringify({ what, status, fields: [...fields], length: body.length });
  if (status === 502) return;
  expect(status, detail).to.be.oneOf([200, 206, 304]);
  const etag = fields.get('etag') ?? '';
  const version = Number(/^"(\d+)-/.exec(etag)?.[1]);
  expect(version, detail).to.be.at.least(least);
  const variant = path === '/vary' ? (exchange.originalHeaders.get('x-kind') ?? '') : '';
  expect(etag, detail).to.equal(`"${version}-${variant}"`);
  if (status === 304) {
    expect(etag, detail).to.equal((what.headers as Record<string, string>)['if-none-match']);
    return;
  }
  if (what.method === 'HEAD' || exchange.writer.broken !== '') return;
  const whole = model.body(path, version, variant);
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(fields.get('content-range') ?? '');
  expect(range !== null, detail).to.equal(status === 206);
  const expected = range === null ? whole : whole.subarray(Number(range[1]), Number(range[2]) + 1);
  expect(body.equals(expected), `wrong bytes: ${detail}`).to.equal(true);
}

async function run(seed: number, options: JsonObject, requests: number): Promise<void> {
  const model = new Model(seed);
  await withCache({ memory: 1024 * 1024, ...options }, model.respond, async (server) => {
    const pending: Promise<void>[] = [];
    for (let i = 0; i < requests; i++) {
      pending.push(ask(model, server));
      if (model.random(3) > 0) await turns(model.random(8));
    }
    await Promise.all(pending).catch((error: unknown) => {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    });
  });
}

describe('http.handlers.cache with random timing', () => {
  const runAll = async (seeds: number, requests: number): Promise<void> => {
    for (let seed = 1; seed <= seeds; seed++) {
      const directory = mkdtempSync(join(tmpdir(), 'cache-'));
      try {
        await run(seed, seed % 2 === 0 ? {} : { disk: { path: directory, size: 16 * 1024 * 1024 } }, requests);
      } finally {
        rmSync(directory, { recursive: true });
      }
    }
  };

  it('the cache never serves a wrong byte in 6 random runs', () => runAll(6, 150)).timeout(20_000);

  it('the cache never serves a wrong byte in 64 random runs @long', () =>
    runAll(Number(process.env['SLUICE_TEST_SEEDS'] ?? 64), 400)).timeout(300_000);
});
