import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@sluice/base';
import type { TestServer } from '@sluice/testing';
import { readUpstreams } from './admin.ts';
import {
  responding,
  deadAddress,
  echoUpstream,
  httpUpstream,
  Opened,
  proxyTo,
  rawUpstream,
  serving,
  until,
} from './support.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

describe('http.handlers.reverse_proxy: balancing', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function tagged(...tags: readonly string[]): Promise<string[]> {
    const dials: string[] = [];
    for (const tag of tags)
      dials.push(opened.add(await responding(`HTTP/1.1 200 OK\r\nContent-Length: ${tag.length}\r\n\r\n${tag}`)).dial);
    return dials;
  }

  async function proxying(dials: readonly string[], options: JsonObject): Promise<TestServer> {
    return opened.add(await serving([proxyTo(dials, options)]));
  }

  async function responsesOf(proxy: TestServer, count: number, headers: Record<string, string> = {}): Promise<string> {
    let text = '';
    for (let i = 0; i < count; i++) text += (await proxy.request({ headers })).text;
    return text;
  }

  const policies: readonly [policy: JsonObject, expected: string][] = [
    [{ policy: 'round_robin' }, 'bcabca'],
    [{ policy: 'first' }, 'aaaaaa'],
    [{ policy: 'weighted_round_robin', weights: [3, 1] }, 'aabaaa'],
    [{ policy: 'weighted_round_robin', weights: [0, 1, 1] }, 'cbcbcb'],
    [{ policy: 'weighted_round_robin', weights: [2] }, 'aaaaaa'],
  ];
  for (const [policy, expected] of policies) {
    it(`reverse_proxy selects upstreams in round-robin order with ${JSON.stringify(policy)}`, async () => {
      const proxy = await proxying(await tagged('a', 'b', 'c'), { load_balancing: { selection_policy: policy } });
      expect(await responsesOf(proxy, 6)).to.equal(expected);
    });
  }

  const hashes: readonly [
    policy: JsonObject,
    key: (i: number) => { path?: string; headers?: Record<string, string>; connection?: object },
  ][] = [
    [{ policy: 'header', field: 'X-K' }, (i) => ({ headers: { 'X-K': `v${i}` } })],
    [{ policy: 'query', key: 'k' }, (i) => ({ path: `/?k=v${i}` })],
    [{ policy: 'uri_hash' }, (i) => ({ path: `/p${i}` })],
    [{ policy: 'ip_hash' }, (i) => ({ connection: { remoteAddress: `10.0.0.${i}` } })],
    [{ policy: 'client_ip_hash' }, (i) => ({ connection: { remoteAddress: `10.0.0.${i}` } })],
  ];
  for (const [policy, request] of hashes) {
    it(`reverse_proxy sends identical requests to the same upstream with ${JSON.stringify(policy)}`, async () => {
      const proxy = await proxying(await tagged('a', 'b', 'c'), { load_balancing: { selection_policy: policy } });
      const first: string[] = [];
      for (let i = 0; i < 30; i++) first.push((await proxy.request(request(i))).text);
      for (let i = 0; i < 30; i++) expect((await proxy.request(request(i))).text).to.equal(first[i]);
      expect([...new Set(first)].sort()).to.deep.equal(['a', 'b', 'c']);
    });
  }

  it('reverse_proxy selects upstreams by the rewritten request, including fields set by the proxy', async () => {
    const dials = await tagged('a', 'b', 'c', 'd', 'e');
    const rewritten = await proxying(dials, {
      rewrite: { uri: '/same?k=same' },
      load_balancing: { selection_policy: { policy: 'uri_hash' } },
    });
    const byQuery = await proxying(dials, {
      rewrite: { uri: '/same?k=same' },
      load_balancing: { selection_policy: { policy: 'query', key: 'k' } },
    });
    const byForwarded = await proxying(dials, {
      load_balancing: { selection_policy: { policy: 'header', field: 'X-Forwarded-For' } },
    });
    for (const [proxy, path] of [
      [rewritten, '/p'],
      [byQuery, '/?k='],
    ] as const) {
      const chosen = new Set<string>();
      for (let i = 0; i < 20; i++) chosen.add((await proxy.request(`${path}${i}`)).text);
      expect(chosen.size).to.equal(1);
    }
    const chosen = new Set<string>();
    for (let i = 0; i < 20; i++)
      chosen.add((await byForwarded.request({ headers: { 'X-Forwarded-For': `10.0.0.${i}` } })).text);
    expect(chosen.size).to.equal(1);
  });

  for (const policy of ['random', 'random_choose', 'least_conn']) {
    it(`reverse_proxy distributes requests with ${policy}`, async () => {
      const proxy = await proxying(await tagged('a', 'b', 'c'), { load_balancing: { selection_policy: { policy } } });
      expect([...new Set(await responsesOf(proxy, 60))].sort()).to.deep.equal(['a', 'b', 'c']);
    });
  }

  it('reverse_proxy sets a cookie that identifies the upstream, and sends later requests with this cookie to the same upstream', async () => {
    const proxy = await proxying(await tagged('a', 'b', 'c'), {
      load_balancing: { selection_policy: { policy: 'cookie', secret: 's', max_age: '1h' } },
    });
    const first = await proxy.request('/');
    const cookie = first.headers.get('set-cookie') as string;
    expect(cookie).to.match(/^lb=[\da-f]{64}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    for (let i = 0; i < 6; i++) {
      const response = await proxy.request({ headers: { Cookie: `x=1; ${cookie.split(';')[0] as string}` } });
      expect(response.text).to.equal(first.text);
      expect(response.headers.has('set-cookie')).to.equal(false);
    }
    expect((await proxy.request({ headers: { Cookie: 'lb=none' } })).headers.get('set-cookie')).to.match(
      /^lb=[\da-f]{64};/,
    );
  });

  const wrong: readonly JsonObject[] = [
    { load_balancing: { selection_policy: {} } },
    { load_balancing: { selection_policy: { policy: 'none' } } },
    { load_balancing: { selection_policy: { policy: 'random_choose', choose: 1 } } },
    { load_balancing: { selection_policy: { policy: 'header' } } },
    { load_balancing: { selection_policy: { policy: 'query' } } },
    { load_balancing: { selection_policy: { policy: 'header', field: 'x', fallback: { policy: 'none' } } } },
    { load_balancing: { selection_policy: { policy: 'weighted_round_robin' } } },
    { load_balancing: { selection_policy: { policy: 'weighted_round_robin', weights: [-1, 2] } } },
    { load_balancing: { selection_policy: { policy: 'weighted_round_robin', weights: [0, 0] } } },
    { trusted_proxies: ['nonsense'] },
    { transport: { protocol: 'http', versions: ['9'] } },
    { health_checks: { active: { uri: ':bad' } } },
    { health_checks: { active: { interval: 'x' } } },
    { health_checks: { active: { uri: '/', expect_body: '(' } } },
  ];
  for (const options of wrong) {
    // Attack in docs/security.md: `weights` with a sum of zero.
    it(`reverse_proxy rejects ${JSON.stringify(options)}`, async () => {
      let message = '';
      await proxying([], options).catch((error: Error) => (message = error.message));
      expect(message).to.match(/^apps\.http\.servers\.s\.routes\[0\]\.handle\[0\]/);
    });
  }

  it('reverse_proxy first retries upstreams that have not failed, regardless of the policy, and then all upstreams', async () => {
    const [live = ''] = await tagged('a');
    const dead = [await deadAddress(), await deadAddress()];
    for (const policy of ['first', 'random', 'round_robin', 'uri_hash', 'least_conn']) {
      const load_balancing = { selection_policy: { policy }, retries: 2 };
      const proxy = await proxying([...dead, live], { load_balancing });
      expect(await responsesOf(proxy, 12), policy).to.equal('aaaaaaaaaaaa');
      const alone = await proxying(dead, { load_balancing });
      expect((await alone.request('/')).status).to.equal(502);
    }
  });

  it('reverse_proxy retries on other upstreams after failed dials, including a POST request with its body', async () => {
    const upstream = opened.add(await echoUpstream());
    const dead = await deadAddress();
    for (const load of [{ retries: 1 }, { try_duration: '2s', try_interval: '1ms' }]) {
      const proxy = await proxying([dead, upstream.dial], {
        load_balancing: { ...load, selection_policy: { policy: 'round_robin' } },
      });
      for (let i = 0; i < 4; i++)
        expect(JSON.parse((await proxy.request({ method: 'POST', body: 'kept' })).text)).to.include({ body: 'kept' });
    }
  });

  it('reverse_proxy stops after the last attempt and returns its error', async () => {
    const dead = await deadAddress();
    const proxy = await proxying([dead], {
      load_balancing: { retries: 2 },
      health_checks: { passive: { fail_duration: '10s', max_fails: 99 } },
    });
    expect((await proxy.request('/')).status).to.equal(502);
    expect(await readUpstreams(proxy)).to.deep.equal([{ address: dead, num_requests: 0, fails: 3 }]);
  });

  const lost: readonly [what: string, method: string, match: JsonObject, tries: number][] = [
    ['retries a GET request', 'GET', {}, 3],
    ['retries a HEAD request', 'HEAD', {}, 3],
    ['retries a PUT request with its body', 'PUT', {}, 3],
    ['does not retry a POST request', 'POST', {}, 1],
    ['retries a POST request that matches retry_match', 'POST', { retry_match: [{ method: ['POST'] }] }, 3],
    ['does not retry a GET request that does not match retry_match', 'GET', { retry_match: [{ method: ['POST'] }] }, 1],
  ];
  for (const [what, method, match, tries] of lost) {
    it(`reverse_proxy ${what} if the response is lost`, async () => {
      let requests = 0;
      const upstream = opened.add(
        await rawUpstream((text, socket) => {
          if (!text.endsWith('\r\n\r\n') && !text.endsWith('body')) return;
          requests++;
          socket.destroy();
        }),
      );
      const proxy = await proxying([upstream.dial], { load_balancing: { retries: 2, ...match } });
      const body = method === 'POST' || method === 'PUT' ? 'body' : '';
      expect((await proxy.request(body === '' ? { method } : { method, body })).status).to.equal(502);
      expect(requests).to.equal(tries);
    });
  }

  /** Starts an upstream that responds to attempts with the given responses in order. It repeats the last response. */
  async function inTurn(...responses: readonly string[]): Promise<{ dial: string; tries(): number }> {
    let requests = 0;
    const upstream = opened.add(
      await rawUpstream((text, socket, connection) => {
        if (!/\r\n\r\n(?:body)?$/.test(text)) return;
        upstream.received[connection] = '';
        const response = responses[Math.min(requests++, responses.length - 1)] as string;
        if (response === '') socket.destroy();
        else socket.write(response);
      }),
    );
    return { dial: upstream.dial, tries: () => requests };
  }

  const unready = 'HTTP/1.1 503 No\r\nX-Again: yes\r\nContent-Length: 2\r\n\r\nno';
  const matched: readonly [match: JsonObject, gathered: readonly string[], status: number, tries: number][] = [
    [{ expression: '{http.reverse_proxy.status_code} == 503' }, [unready, unready, ok], 200, 3],
    [{ expression: { expr: '{http.reverse_proxy.status_code} in [502, 503]' } }, [unready, ok], 200, 2],
    [{ expression: "{http.reverse_proxy.header.X-Again} == 'yes'" }, [unready, ok], 200, 2],
    [{ expression: '{http.reverse_proxy.status_code} == 502' }, [unready, ok], 503, 1],
    [{ expression: '{http.reverse_proxy.status_code} == 503', path: ['/other'] }, [unready, ok], 503, 1],
    [{ path: ['/*'] }, [unready, ok], 503, 1],
    [{ expression: '{http.reverse_proxy.status_code} == 503' }, ['', ok], 502, 1],
    [{ expression: '{http.reverse_proxy.is_transport_error} == true' }, ['', ok], 200, 2],
    [{ expression: '{http.reverse_proxy.is_transport_error} == true' }, [unready, ok], 503, 1],
    [{ vars: { '{http.reverse_proxy.is_transport_error}': ['true'] } }, ['', ok], 200, 2],
    [{ expression: "{http.reverse_proxy.status_code} > 'a'" }, [unready, ok], 503, 1],
    [{ expression: "{http.reverse_proxy.status_code} > 'a'" }, ['', ok], 502, 1],
  ];
  for (const [match, gathered, status, tries] of matched) {
    it(`reverse_proxy returns ${status} after ${tries} attempts with ${JSON.stringify(match)} and ${gathered[0] === '' ? 'a lost response' : 'a 503'}`, async () => {
      for (const what of [{}, { method: 'POST', body: 'body' }]) {
        const upstream = await inTurn(...gathered);
        const proxy = await proxying([upstream.dial], { load_balancing: { retries: 3, retry_match: [match] } });
        expect((await proxy.request(what)).status).to.equal(status);
        expect(upstream.tries()).to.equal(tries);
        expect((await readUpstreams(proxy))[0]).to.include({ num_requests: 0 });
      }
    });
  }

  it('reverse_proxy runs error routes if the response to the last attempt matches retry_match', async () => {
    const upstream = await inTurn(unready);
    const proxy = opened.add(
      await serving(
        [
          proxyTo(upstream.dial, {
            load_balancing: { retries: 2, retry_match: [{ expression: '{http.reverse_proxy.status_code} == 503' }] },
          }),
        ],
        {
          errors: {
            routes: [
              {
                handle: [
                  {
                    handler: 'static_response',
                    body: '{http.error.status_code} {http.reverse_proxy.status_code} {http.reverse_proxy.header.X-Again}',
                  },
                ],
              },
            ],
          },
        },
      ),
    );
    expect((await proxy.request('/')).text).to.equal('503 503 yes');
    expect(upstream.tries()).to.equal(3);
  });

  it('reverse_proxy never sends a response to the client twice', async () => {
    let requests = 0;
    const upstream = opened.add(
      await httpUpstream((_request, response) => void (requests++, response.writeHead(503).end())),
    );
    const proxy = await proxying([upstream.dial], { load_balancing: { retries: 3 } });
    expect((await proxy.request('/')).status).to.equal(503);
    expect(requests).to.equal(1);
  });

  it('reverse_proxy resends a request lost on an idle connection if resending is safe', async () => {
    // Each connection sends one response and closes when a second request arrives.
    let second = 0;
    const upstream = opened.add(
      await rawUpstream((text, socket) => {
        const requests = text.split('HTTP/1.1\r\n').length - 1;
        if (requests === 1 && /\r\n\r\n(?:body)?$/.test(text)) socket.write(ok);
        else if (requests > 1) {
          second++;
          socket.destroy();
        }
      }),
    );
    const proxy = await proxying([upstream.dial], {});
    await proxy.request('/');
    for (const what of [{}, { method: 'PUT', body: 'body' }, { method: 'POST' }])
      expect((await proxy.request(what)).status).to.equal(200);
    expect((await proxy.request({ method: 'POST', body: 'body' })).status).to.equal(502);
    expect(second).to.equal(4);
  });

  it('reverse_proxy closes idle connections before the upstream does', async () => {
    const upstream = opened.add(await responding(ok.replace('\r\n', '\r\nKeep-Alive: timeout=1\r\n')));
    const proxy = await proxying([upstream.dial], {});
    await proxy.request('/');
    await proxy.request('/');
    expect(upstream.received.length).to.equal(1);
    await until(() => upstream.sockets[0]?.closed === true, 'the end of the connection');
    await proxy.request('/');
    expect(upstream.received.length).to.equal(2);
  });

  it('reverse_proxy with max_conns_per_host limits connections, and makes further requests wait', async () => {
    let open = 0;
    let peak = 0;
    const upstream = opened.add(
      await httpUpstream((_request, response) => {
        peak = Math.max(peak, ++open);
        setTimeout(() => {
          open--;
          response.end('ok');
        }, 5);
      }),
    );
    const proxy = await proxying([upstream.dial], { transport: { protocol: 'http', max_conns_per_host: 2 } });
    const responses = await Promise.all(Array.from({ length: 12 }, () => proxy.request('/')));
    expect(responses.every((response) => response.status === 200)).to.equal(true);
    expect(peak).to.equal(2);
  });

  it('reverse_proxy with max_requests limits the requests in flight per upstream, and in total', async () => {
    const upstream = opened.add(
      await httpUpstream((_request, response) => void setTimeout(() => response.end('ok'), 60)),
    );
    const limits: readonly [JsonObject, JsonObject][] = [
      [{ max_requests: 2 }, {}],
      [{}, { health_checks: { passive: { unhealthy_request_count: 2 } } }],
    ];
    for (const [own, options] of limits) {
      const proxy = opened.add(
        await serving([{ handler: 'reverse_proxy', upstreams: [{ dial: upstream.dial, ...own }], ...options }]),
      );
      const statuses = (await Promise.all(Array.from({ length: 5 }, () => proxy.request('/')))).map(
        (response) => response.status,
      );
      expect(statuses.filter((status) => status === 200).length).to.equal(2);
      expect(statuses.filter((status) => status === 503).length).to.equal(3);
      expect((await proxy.request('/')).status).to.equal(200);
    }
  });

  it('reverse_proxy skips a failed upstream until fail_duration expires', async () => {
    const upstream = opened.add(
      await httpUpstream((request, response) => void response.writeHead(request.url === '/bad' ? 500 : 200).end()),
    );
    const proxy = await proxying([upstream.dial], {
      health_checks: { passive: { fail_duration: '150ms', max_fails: 2, unhealthy_status: [5] } },
    });
    expect([
      (await proxy.request('/bad')).status,
      (await proxy.request('/')).status,
      (await proxy.request('/bad')).status,
    ]).to.deep.equal([500, 200, 500]);
    expect((await proxy.request('/')).status).to.equal(503);
    expect((await readUpstreams(proxy))[0]).to.include({ fails: 2 });
    await sleep(250);
    expect((await readUpstreams(proxy))[0]).to.include({ fails: 0 });
    expect((await proxy.request('/')).status).to.equal(200);
  });
});
