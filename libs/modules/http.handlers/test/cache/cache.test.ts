import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { silentLogger, type JsonObject } from '@sluice/base';
import { ClientGoneError, httpApp, HttpError } from '@sluice/http-app';
import { HeaderMap } from '@sluice/http1';
import { makeExchange, type MemoryResponse } from '@sluice/testing';
import { ControlBus, SharedMemory } from '@sluice/threads';
import { cached, gate, send, serveCached, withCache, type Respond } from './support.ts';

/** Responds with the request number. The response is fresh for a minute. */
const counting: Respond = (exchange, count) => send(exchange, { 'cache-control': 'max-age=60' }, `body ${count}`);

describe('http.handlers.cache', () => {
  it('the cache serves a fresh stored response with Age and Cache-Status', async () => {
    await withCache({}, counting, async (server, origin) => {
      const first = await server.request('/a');
      expect(first.headers.get('cache-status')).to.equal('Sluice; fwd=uri-miss; fwd-status=200; stored');
      const second = await server.request('/a');
      expect([second.status, second.text, origin.count]).to.deep.equal([200, 'body 1', 1]);
      expect(second.headers.get('age')).to.equal('0');
      expect(second.headers.get('content-length')).to.equal('6');
      expect(second.headers.get('cache-status')).to.match(/^Sluice; hit; ttl=(59|60)$/);
      expect((await server.request('/b')).text).to.equal('body 2');
    });
  });

  it('the cache responds to HEAD from a stored GET response', async () => {
    await withCache({}, counting, async (server, origin) => {
      await server.request('/');
      const head = await server.request({ method: 'HEAD' });
      expect([head.status, head.text, head.headers.get('content-length')]).to.deep.equal([200, '', '6']);
      expect(origin.count).to.equal(1);
    });
  });

  it('the cache stores a variant for each value of the Vary fields', async () => {
    const respond: Respond = (exchange, count) =>
      send(exchange, { 'cache-control': 'max-age=60', vary: 'Accept-Language, X-Kind' }, `body ${count}`);
    await withCache({}, respond, async (server) => {
      const texts = [];
      for (const language of ['en', 'de', 'en', 'DE', 'fr, de', 'fr,de'])
        texts.push((await server.request({ headers: { 'accept-language': language } })).text);
      expect(texts).to.deep.equal(['body 1', 'body 2', 'body 1', 'body 2', 'body 3', 'body 3']);
    });
  });

  it('the cache responds to conditional and range requests from stored responses', async () => {
    const respond: Respond = (exchange) =>
      send(exchange, { 'cache-control': 'max-age=60', etag: '"x"', 'content-type': 'text/plain' }, '0123456789');
    await withCache({}, respond, async (server, origin) => {
      await server.request('/');
      const same = await server.request({ headers: { 'if-none-match': '"y", "x"' } });
      expect([same.status, same.text, same.headers.get('etag')]).to.deep.equal([304, '', '"x"']);
      const part = await server.request({ headers: { range: 'bytes=2-4' } });
      expect([part.status, part.text, part.headers.get('content-range')]).to.deep.equal([206, '234', 'bytes 2-4/10']);
      const last = await server.request({ headers: { range: 'bytes=-3', 'if-range': '"x"' } });
      expect([last.status, last.text]).to.deep.equal([206, '789']);
      const other = await server.request({ headers: { range: 'bytes=-3', 'if-range': '"z"' } });
      expect([other.status, other.text]).to.deep.equal([200, '0123456789']);
      const beyond = await server.request({ headers: { range: 'bytes=10-' } });
      expect([beyond.status, beyond.headers.get('content-range')]).to.deep.equal([416, 'bytes */10']);
      expect(origin.count).to.equal(1);
    });
  });

  it('the cache stores the complete response to a conditional request, and responds with 304', async () => {
    const respond: Respond = (exchange) => {
      expect(exchange.headers.has('if-none-match')).to.equal(false);
      send(exchange, { 'cache-control': 'max-age=60', etag: '"x"' }, 'text');
    };
    await withCache({}, respond, async (server, origin) => {
      expect((await server.request({ headers: { 'if-none-match': '"x"' } })).status).to.equal(304);
      expect((await server.request('/')).text).to.equal('text');
      expect(origin.count).to.equal(1);
    });
  });

  it('the cache revalidates a stale response, and updates its fields from the 304 response', async () => {
    const respond: Respond = (exchange, count) => {
      if (count === 1) send(exchange, { 'cache-control': 'max-age=0', etag: '"x"', 'x-count': '1' }, 'text');
      else {
        expect(exchange.headers.get('if-none-match')).to.equal('"x"');
        send(exchange, { 'cache-control': 'max-age=60', etag: '"x"', 'x-count': String(count) }, '', 304);
      }
    };
    await withCache({}, respond, async (server, origin) => {
      await server.request('/');
      const second = await server.request('/');
      expect([second.status, second.text, second.headers.get('x-count')]).to.deep.equal([200, 'text', '2']);
      expect(second.headers.get('cache-status')).to.equal('Sluice; hit; fwd=stale; fwd-status=304');
      const third = await server.request('/');
      expect([third.text, third.headers.get('x-count'), origin.count]).to.deep.equal(['text', '2', 2]);
    });
  });

  it('the cache serves a stale response while one request revalidates it (RFC 5861)', async () => {
    const { opened, open } = gate();
    const respond: Respond = async (exchange, count) => {
      if (count > 1) await opened;
      send(exchange, { 'cache-control': 'max-age=0, stale-while-revalidate=60', etag: `"${count}"` }, `body ${count}`);
    };
    await withCache({}, respond, async (server, origin) => {
      await server.request('/');
      for (let i = 0; i < 3; i++) expect((await server.request('/')).text).to.equal('body 1');
      expect(origin.count).to.equal(2);
      open();
      await wait(5);
      origin.respond = counting;
      expect((await server.request('/')).text).to.equal('body 2');
    });
  });

  it('the cache serves a stale response if the upstream fails and the response permits it (RFC 5861)', async () => {
    const respond: Respond = (exchange, count) => {
      if (count === 1) send(exchange, { 'cache-control': 'max-age=0, stale-if-error=60', etag: '"x"' }, 'text');
      else if (count === 2) send(exchange, {}, 'unavailable', 503);
      else throw new HttpError(502, 'no upstream');
    };
    await withCache({}, respond, async (server) => {
      await server.request('/');
      for (let i = 0; i < 2; i++) {
        const response = await server.request('/');
        expect([response.status, response.text]).to.deep.equal([200, 'text']);
        expect(response.headers.get('cache-status')).to.contain('stale-if-error');
      }
    });
  });

  it('the cache does not serve a stale must-revalidate response if the upstream fails, even if the stale option permits it', async () => {
    const respond: Respond = (exchange, count) => {
      if (count === 1) send(exchange, { 'cache-control': 'max-age=0, must-revalidate', etag: '"x"' }, 'text');
      else throw new HttpError(502, 'no upstream');
    };
    await withCache({ stale: '1h' }, respond, async (server) => {
      await server.request('/');
      expect((await server.request('/')).status).to.equal(502);
    });
  });

  it('the cache sends only one of many concurrent requests for the same key to the upstream', async () => {
    const { opened, open } = gate();
    const respond: Respond = async (exchange, count) => {
      await opened;
      return counting(exchange, count);
    };
    await withCache({}, respond, async (server, origin) => {
      const pending = Array.from({ length: 20 }, () => server.request('/'));
      await wait(1);
      open();
      const responses = await Promise.all(pending);
      expect(origin.count).to.equal(1);
      expect(responses.map(({ text }) => text)).to.deep.equal(Array.from({ length: 20 }, () => 'body 1'));
      expect(responses[1]?.headers.get('cache-status')).to.contain('collapsed');
    });
  });

  it('the cache does not make requests wait for a response that will not be stored', async () => {
    const { opened, open } = gate();
    const respond: Respond = async (exchange, count) => {
      exchange.response.headers.set('cache-control', 'no-store');
      exchange.response.writeHead(200);
      if (count === 1) await opened;
      exchange.response.end(`body ${count}`);
    };
    await withCache({}, respond, async (server, origin) => {
      const first = server.request('/');
      expect((await server.request('/')).text).to.equal('body 2');
      open();
      expect((await first).text).to.equal('body 1');
      expect(origin.count).to.equal(2);
    });
  });

  it('the cache sends a waiting request to the upstream if the client of the first request disconnects', async () => {
    const { opened, open } = gate();
    const respond: Respond = async (exchange, count) => {
      if (count > 1) return counting(exchange, count);
      await opened;
      throw new ClientGoneError();
    };
    await withCache({}, respond, async (server, origin) => {
      const exchange = makeExchange();
      const [running] = server.runtime.app(httpApp)?.servers.values() ?? [];
      const first = running?.handle(exchange);
      const pending = Array.from({ length: 5 }, () => server.request('/'));
      await wait(1);
      exchange.abort();
      open();
      await first;
      for (const response of await Promise.all(pending)) expect(response.text).to.equal('body 2');
      expect(origin.count).to.equal(2);
    });
  });

  it('the cache sends waiting requests to the upstream if the first request fails', async () => {
    const { opened, open } = gate();
    const respond: Respond = async (exchange, count) => {
      await opened;
      if (count === 1) throw new HttpError(502, 'no upstream');
      return counting(exchange, count);
    };
    await withCache({}, respond, async (server, origin) => {
      const pending = Array.from({ length: 5 }, () => server.request('/'));
      await wait(1);
      open();
      const responses = await Promise.all(pending);
      expect(responses.map(({ status }) => status)).to.deep.equal([502, 200, 200, 200, 200]);
      expect(origin.count).to.equal(5);
    });
  });

  it('the cache removes responses that an unsafe request invalidates (RFC 9111 §4.4)', async () => {
    const respond: Respond = (exchange, count) => {
      if (exchange.method === 'POST')
        send(exchange, { location: '/other' }, '', exchange.path === '/fails' ? 500 : 201);
      else void counting(exchange, count);
    };
    await withCache({}, respond, async (server) => {
      for (const path of ['/', '/other', '/fails']) await server.request(path);
      await server.request({ method: 'POST' });
      await server.request({ method: 'POST', path: '/fails' });
      const texts = [];
      for (const path of ['/', '/other', '/fails']) texts.push((await server.request(path)).text);
      expect(texts).to.deep.equal(['body 6', 'body 7', 'body 3']);
    });
  });

  it('the cache streams event streams without buffering or storing them', async () => {
    const { opened, open } = gate();
    const respond: Respond = async ({ response }) => {
      response.headers.set('content-type', 'text/event-stream');
      response.headers.set('cache-control', 'max-age=60');
      response.write('data: 1\n\n');
      response.flush();
      await opened;
      response.end('data: 2\n\n');
    };
    await withCache({}, respond, async (server, origin) => {
      const exchange = makeExchange();
      const [running] = server.runtime.app(httpApp)?.servers.values() ?? [];
      const pending = running?.handle(exchange);
      await wait(1);
      expect((exchange.writer as MemoryResponse).body.toString()).to.equal('data: 1\n\n');
      // Another client also does not wait until the response is complete.
      const other = server.request('/');
      await wait(1);
      expect(origin.count).to.equal(2);
      open();
      await Promise.all([pending, other]);
      await server.request('/');
      expect(origin.count).to.equal(3);
    });
  });

  it('the cache does not store a response with trailers, such as a gRPC response', async () => {
    const respond: Respond = ({ response }, count) => {
      response.headers.set('cache-control', 'max-age=60');
      response.writeHead(200);
      response.write(`body ${count}`);
      response.setTrailers(new HeaderMap(['grpc-status'], ['0']));
      response.end();
    };
    await withCache({}, respond, async (server) => {
      const first = await server.request('/');
      expect([first.text, first.trailers?.get('grpc-status')]).to.deep.equal(['body 1', '0']);
      expect((await server.request('/')).text).to.equal('body 2');
    });
  });

  it('the cache passes on bodies above the size limit without storing them, with or without a declared length', async () => {
    const respond: Respond = ({ response, path }) => {
      response.headers.set('cache-control', 'max-age=60');
      if (path === '/declared') response.headers.set('content-length', '30');
      response.writeHead(200);
      for (let i = 0; i < 3; i++) response.write('0123456789');
      response.end();
    };
    await withCache({ max_cacheable_body_bytes: 25 }, respond, async (server, origin) => {
      for (const path of ['/declared', '/chunked'])
        for (let i = 0; i < 2; i++) expect((await server.request(path)).text).to.have.length(30);
      expect(origin.count).to.equal(4);
    });
  });

  it('the cache limits the memory used by bodies that are still arriving', async () => {
    const { opened, open } = gate();
    const piece = Buffer.alloc(1024 * 1024, 'x');
    const respond: Respond = async ({ response }) => {
      response.headers.set('cache-control', 'max-age=60');
      for (let i = 0; i < 3; i++) response.write(piece);
      await opened;
      response.end();
    };
    await withCache({ memory: 64 * 1024 * 1024 }, respond, async (server, origin) => {
      const pending = Array.from({ length: 20 }, (_, i) => server.request(`/${i}`));
      await wait(1);
      open();
      for (const { body } of await Promise.all(pending)) expect(body.length).to.equal(3 * piece.length);
      // 32 MiB can hold ten bodies of 3 MiB, but not an eleventh.
      const [{ objects }] = (await server.admin('/cache')).json() as [{ objects: number }];
      expect(objects).to.be.within(8, 10);
      await server.request('/new');
      await server.request('/new');
      expect(origin.count).to.equal(21);
    });
  });

  it('the cache does not store a truncated body', async () => {
    const respond: Respond = async ({ response }, count) => {
      response.headers.set('cache-control', 'max-age=60');
      if (count === 1) response.headers.set('content-length', '8');
      response.write('half');
      await wait(1);
      if (count === 2) throw new HttpError(502, 'broken');
      response.end(count === 1 ? '' : 'done');
    };
    await withCache({}, respond, async (server) => {
      await server.request('/');
      await server.request('/').catch(() => undefined);
      expect((await server.request('/')).text).to.equal('halfdone');
      expect((await server.request('/')).text).to.equal('halfdone');
    });
  });

  it('the cache prefers CDN-Cache-Control to Cache-Control, unless CDN-Cache-Control is invalid (RFC 9213)', async () => {
    const respond: Respond = (exchange, count) => {
      const targeted = exchange.path === '/valid' ? 'max-age=60' : 'max-age="60"';
      send(exchange, { 'cache-control': 'no-store', 'cdn-cache-control': targeted }, `body ${count}`);
    };
    await withCache({}, respond, async (server) => {
      const texts = [];
      for (const path of ['/valid', '/valid', '/invalid', '/invalid']) texts.push((await server.request(path)).text);
      expect(texts).to.deep.equal(['body 1', 'body 1', 'body 2', 'body 3']);
    });
  });

  it('the cache does not revalidate an immutable response when a client reloads (RFC 8246)', async () => {
    const respond: Respond = (exchange, count) =>
      send(exchange, { 'cache-control': exchange.path === '/i' ? 'max-age=60, immutable' : 'max-age=60' }, `${count}`);
    await withCache({}, respond, async (server) => {
      const reload = { headers: { 'cache-control': 'max-age=0' } };
      const texts = [];
      for (const path of ['/i', '/i', '/m', '/m']) texts.push((await server.request({ path, ...reload })).text);
      expect(texts).to.deep.equal(['1', '1', '2', '3']);
    });
  });

  it('the cache does not reuse a response to a request with Authorization unless the response permits it', async () => {
    const respond: Respond = (exchange, count) =>
      send(exchange, { 'cache-control': exchange.path === '/p' ? 'max-age=60, public' : 'max-age=60' }, `${count}`);
    await withCache({}, respond, async (server) => {
      const authorized = { headers: { authorization: 'Basic x' } };
      const texts = [];
      for (const path of ['/', '/', '/p', '/p']) texts.push((await server.request({ path, ...authorized })).text);
      expect(texts).to.deep.equal(['1', '2', '3', '3']);
    });
  });

  it('the ttl option applies to responses without a lifetime, unless a cookie was sent or set', async () => {
    const respond: Respond = (exchange, count) =>
      send(exchange, exchange.path === '/set' ? { 'set-cookie': 'a=1' } : {}, `${count}`);
    await withCache({ ttl: '1m' }, respond, async (server) => {
      const texts = [];
      for (const path of ['/set', '/set', '/', '/']) texts.push((await server.request(path)).text);
      for (let i = 0; i < 2; i++)
        texts.push((await server.request({ path: '/cookie', headers: { cookie: 'a=1' } })).text);
      expect(texts).to.deep.equal(['1', '2', '3', '3', '4', '5']);
    });
  });

  it('the cache key contains the configured parts, and requests cannot forge the key of another request', async () => {
    const options = {
      headers: ['X-Tenant'],
      key: { disable_query: true },
      cache_keys: { '^/all': { disable_host: true, disable_scheme: true, template: 'one' } },
    };
    await withCache(options, counting, async (server) => {
      const ask = async (path: string, tenant: string, host = 'a.test'): Promise<string> =>
        (await server.request({ path, host, headers: { 'x-tenant': tenant } })).text;
      expect(await ask('/x?1', 't')).to.equal('body 1');
      expect(await ask('/x?2', 't', 'A.test')).to.equal('body 1');
      expect(await ask('/x', 'u')).to.equal('body 2');
      expect(await ask('/x', 't', 'b.test')).to.equal('body 3');
      expect(await ask('/x-t', '')).to.equal('body 4');
      expect(await ask('/x', 't-')).to.equal('body 5');
      expect(await ask('/all/1', 't')).to.equal('body 6');
      expect(await ask('/all/2', 't', 'b.test')).to.equal('body 6');
    });
  });

  it('the cache rejects configurations with methods other than GET and HEAD, unsupported stores, or a disk without a path', async () => {
    const errorOf = (cache: JsonObject): Promise<string> =>
      withCache(cache, counting, () => expect.fail('accepted it')).then(
        () => '',
        ({ message }: Error) => message,
      );
    expect(await errorOf({ allowed_http_verbs: ['POST'] })).to.contain('only GET and HEAD can be cached, not POST');
    expect(await errorOf({ redis: { url: 'localhost' } })).to.contain('the store redis is not supported');
    expect(await errorOf({ disk: {} })).to.contain('requires a path');
    expect(await errorOf({ regex: { exclude: '(' } })).to.contain('regex.exclude');
  });

  it('the cache passes on requests with an excluded path, an unsupported method or a body, and reports the reason', async () => {
    await withCache({ regex: { exclude: '^/private' } }, counting, async (server, origin) => {
      const statuses = [];
      for (const what of [{ path: '/private/1' }, { method: 'OPTIONS' }, { body: 'x' }])
        statuses.push((await server.request(what)).headers.get('cache-status'));
      expect(statuses).to.deep.equal(['Sluice; fwd=bypass', 'Sluice; fwd=method', 'Sluice; fwd=bypass']);
      await server.request({ path: '/private/1' });
      expect(origin.count).to.equal(4);
    });
  });

  it('the cache uses app options unless the handler overrides them', async () => {
    const config = cached({ cache_name: 'Own' }) as { apps: JsonObject };
    const { server } = await serveCached(
      { apps: { ...config.apps, cache: { cache_name: 'App', ttl: '1m' } } },
      (exchange) => send(exchange, {}, 'x'),
    );
    try {
      await server.request('/');
      expect((await server.request('/')).headers.get('cache-status')).to.match(/^Own; hit/);
    } finally {
      await server.close();
    }
  });

  it('the cache responds with 504 if the upstream times out, or if only-if-cached finds no stored response', async () => {
    const respond: Respond = async (exchange, count) => {
      await wait(50);
      return counting(exchange, count);
    };
    await withCache({ timeout: { backend: '5ms' } }, respond, async (server) => {
      expect((await server.request('/')).status).to.equal(504);
      expect((await server.request({ headers: { 'cache-control': 'only-if-cached' } })).status).to.equal(504);
      await wait(60);
    });
  });

  it('the cache serves complete and partial large bodies from shared memory', async () => {
    const body = Buffer.from(Array.from({ length: 700_000 }, (_, i) => (i * 31 + (i >> 8)) & 0xff));
    const respond: Respond = (exchange) => send(exchange, { 'cache-control': 'max-age=60' }, body);
    await withCache({}, respond, async (server, origin) => {
      await server.request('/');
      expect((await server.request('/')).body.equals(body)).to.equal(true);
      const part = await server.request({ headers: { range: 'bytes=1000-600000' } });
      expect(part.body.equals(body.subarray(1000, 600_001))).to.equal(true);
      expect(origin.count).to.equal(1);
    });
  });

  it('the cache respects its memory limit', async () => {
    const body = Buffer.alloc(50_000, 'x');
    const respond: Respond = (exchange) => send(exchange, { 'cache-control': 'max-age=60' }, body);
    await withCache({ memory: 1024 * 1024 }, respond, async (server, origin) => {
      for (let i = 0; i < 100; i++) expect((await server.request(`/${i}`)).body.equals(body)).to.equal(true);
      const [{ objects, memory_used: used, evicted }] = (await server.admin('/cache')).json() as [
        { objects: number; memory_used: number; evicted: number },
      ];
      expect(objects).to.be.within(10, 21);
      expect(used).to.be.at.most(1024 * 1024);
      expect(evicted + objects).to.equal(100);
      await server.request('/99');
      expect(origin.count).to.equal(100);
    });
  });

  it('the cache keeps stored responses when its options change, and keeps as many as fit when its memory limit changes', async () => {
    const memory = new SharedMemory(new ControlBus(silentLogger));
    const { server, origin } = await serveCached(cached(), counting, memory);
    try {
      for (const path of ['/a', '/b']) await server.request(path);
      await server.reconciler.load(cached({ ttl: '5m' }));
      expect((await server.request('/a')).text).to.equal('body 1');
      await server.reconciler.load(cached({ memory: 2 * 1024 * 1024 }));
      expect((await server.request('/a')).text).to.equal('body 1');
      expect((await server.request('/b')).text).to.equal('body 2');
      expect(origin.count).to.equal(2);
    } finally {
      await server.close();
    }
  });

  it('the cache lists and purges responses by key, prefix and tag through the admin API', async () => {
    const respond: Respond = (exchange, count) =>
      send(
        exchange,
        { 'cache-control': 'max-age=60', 'surrogate-key': exchange.path.startsWith('/x') ? 'x all' : 'all' },
        `${count}`,
      );
    await withCache({}, respond, async (server, origin) => {
      for (const path of ['/x/1', '/x/2', '/y/1', '/y/2', '/y/2?q']) await server.request(path);
      const listed = (await server.admin('/cache/objects?tag=x')).json() as { key: string; size: number }[];
      expect(listed.map(({ key }) => key).sort()).to.deep.equal(['GET-http-localhost-/x/1', 'GET-http-localhost-/x/2']);
      const purge = async (query: string): Promise<unknown> =>
        (await server.admin(`/cache/objects?${query}`, { method: 'DELETE' })).json();
      expect(await purge('tag=x')).to.deep.equal({ purged: 2 });
      expect(await purge('key=GET-http-localhost-/y/1')).to.deep.equal({ purged: 1 });
      expect(await purge('prefix=GET-http-localhost-/y/2')).to.deep.equal({ purged: 2 });
      expect(await purge('all')).to.deep.equal({ purged: 0 });
      expect((await server.admin('/cache/objects', { method: 'DELETE' })).status).to.equal(400);
      await server.request('/x/1');
      expect(origin.count).to.equal(6);
    });
  });
});
