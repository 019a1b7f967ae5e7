import { expect } from 'chai';
import { silentLogger, type Json, type JsonObject, type Logger } from '@sluice/base';
import type { Token } from '@sluice/registry';
import { MemoryStorage, registerStorage, serve, withRoutes, type TestServer } from '@sluice/testing';
import { ControlBus, SharedMemory, sharedMemoryToken } from '@sluice/threads';
import { register as matchers } from '@sluice/http.matchers';
import { register } from '@sluice/http.handlers';

const body = { handler: 'static_response', body: 'ok' };

/** Returns a configuration with the given rate limit zones. */
function limited(zones: JsonObject, more: JsonObject = {}, server: JsonObject = {}): Json {
  return withRoutes([{ handle: [{ handler: 'rate_limit', rate_limits: zones, ...more }, body] }], server);
}

interface Settings {
  readonly log?: Logger;
  readonly storage?: MemoryStorage;
}

async function withServer(
  config: Json,
  test: (server: TestServer) => Promise<void>,
  { log = silentLogger, storage = new MemoryStorage() }: Settings = {},
): Promise<void> {
  const memory = new SharedMemory(new ControlBus(silentLogger));
  const services = new Map<Token<unknown>, unknown>([[sharedMemoryToken, memory]]);
  const server = await serve(config, { register: [register, matchers, registerStorage(storage)], services, log });
  try {
    await test(server);
  } finally {
    await server.close();
  }
}

/** Sends requests one after another, each with a value of the header K. Returns the response statuses. */
async function statuses(server: TestServer, keys: readonly string[], path = '/'): Promise<number[]> {
  const found: number[] = [];
  for (const k of keys) found.push((await server.request({ path, headers: { k } })).status);
  return found;
}

const byHeader = { key: '{http.request.header.k}', window: '10s' };

describe('http.handlers.rate_limit', () => {
  it('rate_limit rejects requests over the limit of their key with 429 and Retry-After', async () => {
    await withServer(limited({ z: { ...byHeader, max_events: 2 } }), async (server) => {
      expect(await statuses(server, ['a', 'a', 'a', 'b', 'a'])).to.deep.equal([200, 200, 429, 200, 429]);
      const response = await server.request({ headers: { k: 'a' } });
      expect(response.headers.get('retry-after')).to.equal('10');
      expect(response.text).to.equal('');
    });
  });

  it('rate_limit extends Retry-After by at most the jitter', async () => {
    const config = limited({ z: { key: 's', window: '100s', max_events: 0 } }, { jitter: 0.5 });
    await withServer(config, async (server) => {
      const waits = new Set<number>();
      for (let i = 0; i < 50; i++) waits.add(Number((await server.request('/')).headers.get('retry-after')));
      for (const wait of waits) expect(wait).to.be.within(1, 150);
      expect(waits.size).to.be.greaterThan(1);
    });
  });

  it('rate_limit runs error routes, which can read the zone from a placeholder', async () => {
    const errors = {
      routes: [{ handle: [{ handler: 'static_response', status_code: 503, body: '{http.rate_limit.exceeded.name}' }] }],
    };
    await withServer(limited({ narrow: { ...byHeader, max_events: 0 } }, {}, { errors }), async (server) => {
      const response = await server.request('/');
      expect([response.status, response.text]).to.deep.equal([503, 'narrow']);
    });
  });

  it('rate_limit counts only matching requests, and does not count rejected requests in later zones', async () => {
    const zones = {
      long: { key: 'all', window: '1h', max_events: 3 },
      short: { ...byHeader, max_events: 1, match: [{ path: ['/limited*'] }] },
    };
    await withServer(limited(zones), async (server) => {
      expect(await statuses(server, ['a', 'a', 'a'], '/limited')).to.deep.equal([200, 429, 429]);
      expect(await statuses(server, ['a', 'a', 'a'], '/free')).to.deep.equal([200, 200, 429]);
    });
  });

  it('rate_limit groups addresses by prefix, and uses other keys unchanged', async () => {
    const zone = { ...byHeader, max_events: 1, ipv4_prefix: 24, ipv6_prefix: 64 };
    const keys = ['10.0.0.1', '10.0.0.2', '10.0.1.1', '2001:db8::1', '2001:db8::2', 'foo', 'foo', '[2001:db8::1]'];
    await withServer(limited({ z: zone }), async (server) => {
      expect(await statuses(server, keys)).to.deep.equal([200, 429, 200, 200, 429, 200, 429, 200]);
    });
  });

  it('rate_limit keeps its counts across configuration changes, including changes of its limit', async () => {
    await withServer(limited({ z: { ...byHeader, max_events: 2 } }), async (server) => {
      expect(await statuses(server, ['a', 'a', 'a'])).to.deep.equal([200, 200, 429]);
      await server.reconciler.load(limited({ z: { ...byHeader, max_events: 2 } }, { log_key: true }));
      expect(await statuses(server, ['a'])).to.deep.equal([429]);
      await server.reconciler.load(limited({ z: { ...byHeader, max_events: 3 } }));
      expect(await statuses(server, ['a', 'a'])).to.deep.equal([200, 429]);
    });
  });

  it('rate_limit adds RateLimit header fields if configured', async () => {
    await withServer(limited({ z: { ...byHeader, max_events: 2 } }, { headers: true }), async (server) => {
      const { headers } = await server.request('/');
      expect(headers.get('ratelimit-policy')).to.equal('"z";q=2;w=10');
      expect(headers.get('ratelimit')).to.equal('"z";r=1;t=10');
    });
  });

  it('rate_limit logs rejections, and logs keys only if configured', async () => {
    for (const logKey of [false, true]) {
      const entries: object[] = [];
      const log: Logger = {
        ...silentLogger,
        named: () => log,
        with: () => log,
        info: (_message, fields) => void entries.push(fields ?? {}),
      } as Logger;
      await withServer(
        limited({ z: { ...byHeader, max_events: 0 } }, { log_key: logKey }),
        async (server) => void (await statuses(server, ['secret'])),
        { log },
      );
      const rejected = entries.find((entry) => 'zone' in entry);
      expect(rejected).to.include({ zone: 'z', wait: 10 });
      expect(rejected !== undefined && 'key' in rejected).to.equal(logKey);
    }
  });

  it('the admin API shows and resets rate limit keys, and raises their limits', async () => {
    await withServer(limited({ z: { ...byHeader, max_events: 1 } }), async (server) => {
      await statuses(server, ['a', 'a', 'b/ü']);
      const [listed] = (await server.admin('/rate_limits')).json() as JsonObject[];
      expect(listed).to.include({ name: 'z', uncounted: 0 });
      const zone = (await server.admin('/rate_limits/z')).json() as JsonObject;
      expect(zone).to.include({ name: 'z', window: 10, max_events: 1, key_count: 2, allowed: 2, rejected: 1 });
      const found = (await server.admin('/rate_limits/z?search=b')).json() as JsonObject;
      expect((found['keys'] as JsonObject[]).map((each) => each['key'])).to.deep.equal(['b/ü']);
      const key = `/rate_limits/z/keys/${encodeURIComponent('b/ü')}`;
      expect((await server.admin(key, { method: 'DELETE' })).json()).to.deep.equal({ key: 'b/ü', known: true });
      expect(await statuses(server, ['b/ü', 'b/ü'])).to.deep.equal([200, 429]);
      const raised = await server.admin(key, { method: 'PUT', body: '{"max_events": 3}' });
      expect(raised.json()).to.deep.equal({ key: 'b/ü', max_events: 3 });
      expect(await statuses(server, ['b/ü', 'b/ü', 'b/ü'])).to.deep.equal([200, 200, 429]);
      for (const wrong of ['', '{}', '{"max_events": -1}', '{"max_events": 1.5}'])
        expect((await server.admin(key, { method: 'PUT', body: wrong })).status).to.equal(400);
      expect((await server.admin('/rate_limits/other')).status).to.equal(404);
      expect((await server.admin('/rate_limits/z?limit=0')).status).to.equal(400);
    });
  });

  it('rate_limit includes counts of other servers with the same storage', async () => {
    const storage = new MemoryStorage();
    const routes = limited(
      { z: { ...byHeader, max_events: 5 } },
      { distributed: { write_interval: '10ms', read_interval: '10ms' } },
    );
    const config: Json = { ...(routes as JsonObject), storage: { module: 'memory' } };
    const other = { written: Date.now(), zones: { z: { a: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3] } } };
    await storage.store('rate_limit/instances/other.json', JSON.stringify(other));
    await storage.store('rate_limit/instances/broken.json', '{');
    await withServer(
      config,
      async (server) => {
        await statuses(server, ['a']);
        const deadline = Date.now() + 5000;
        for (;;) {
          const files = await storage.list('rate_limit/instances');
          const own = files.find((key) => !/other|broken/.test(key));
          const written = own === undefined ? null : ((await storage.load(own))?.toString() ?? null);
          if (written?.includes('"a"') === true) break;
          expect(Date.now(), 'the counts were written').to.be.lessThan(deadline);
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
        expect(await statuses(server, ['a', 'a', 'b'])).to.deep.equal([200, 429, 200]);
      },
      { storage },
    );
  });

  const refused: readonly [zone: JsonObject, message: string][] = [
    [{ max_events: 1 }, 'rate_limits.z.window: window must be greater than zero'],
    [{ max_events: 1, window: '0s' }, 'window must be greater than zero'],
    [{ max_events: 1, window: '600h' }, 'window must be at most 24 days'],
    [{ max_events: -1, window: '1s' }, 'max_events'],
    [{ max_events: 1, window: '1s', ipv4_prefix: 33 }, 'ipv4_prefix'],
    [{ max_events: 1, window: '1s', ipv6_prefix: 129 }, 'ipv6_prefix'],
  ];
  for (const [zone, message] of refused) {
    it(`rate_limit rejects the zone ${JSON.stringify(zone)}`, async () => {
      const error = await withServer(limited({ z: zone }), async () => undefined).then(
        () => null,
        (failure: unknown) => failure,
      );
      expect(String(error)).to.include(message);
    });
  }
});
