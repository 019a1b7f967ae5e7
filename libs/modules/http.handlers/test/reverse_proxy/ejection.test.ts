import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { upstreamEvents, type UpstreamHealthEvent } from '@sluice/http-app';
import type { Json, JsonObject } from '@sluice/base';
import type { Token } from '@sluice/registry';
import { Metrics, metricsToken } from '@sluice/telemetry';
import { asCaddyfile, fromCaddyfile, lintFindings, serve, withRoutes, type TestServer } from '@sluice/testing';
import { upstreamEjections } from '../../src/reverse_proxy/outliers/sweep.ts';
import { deadAddress, httpUpstream, Opened, packages, proxyTo } from './support.ts';

interface Entry {
  readonly address: string;
  readonly state: string;
  readonly reason: string;
  readonly proxies: readonly { readonly available: boolean; readonly ejected_until: string | null }[];
}

describe('http.handlers.reverse_proxy: ejection of upstreams', () => {
  const opened = new Opened();
  afterEach(() => opened.close());

  async function upstream(name: string): Promise<{ readonly dial: string; status: number }> {
    const chosen = { dial: '', status: 200 };
    const server = opened.add(
      await httpUpstream((_request, response) => void response.writeHead(chosen.status).end(name)),
    );
    chosen.dial = server.dial;
    return chosen;
  }

  const proxying = (dials: readonly string[], outlier: JsonObject, more: JsonObject = {}): Json =>
    withRoutes([
      {
        handle: [
          proxyTo(dials, {
            load_balancing: { selection_policy: { policy: 'round_robin' } },
            health_checks: { outlier_detection: outlier },
            ...more,
          }),
        ],
      },
    ]);

  async function entry(proxy: TestServer, dial: string): Promise<Entry> {
    const entries = (await proxy.admin('/reverse_proxy/upstreams?detail')).json() as readonly Entry[];
    return entries.find(({ address }) => address === dial)!;
  }

  async function texts(proxy: TestServer, count: number): Promise<string> {
    let text = '';
    for (let i = 0; i < count; i++) text += (await proxy.request('/')).text;
    return text;
  }

  it('reverse_proxy ejects an upstream that responds with errors, keeps it ejected across configuration changes, and later resumes sending requests to it', async () => {
    const [a, b] = [await upstream('a'), await upstream('b')];
    const third = await upstream('c');
    const events: UpstreamHealthEvent[] = [];
    const metrics = new Metrics();
    const services = new Map<Token<unknown>, unknown>([
      [upstreamEvents, (event: UpstreamHealthEvent) => void events.push(event)],
      [metricsToken, metrics],
    ]);
    const outlier = { consecutive_errors: 3, base_ejection_time: '700ms', interval: '50ms' };
    const proxy = opened.add(await serve(proxying([a.dial, b.dial], outlier), { ...packages, services }));
    a.status = 503;
    expect(await texts(proxy, 6)).to.equal('bababa');
    expect(await texts(proxy, 4)).to.equal('bbbb');
    const { state, reason, proxies } = await entry(proxy, a.dial);
    expect(state).to.equal('unhealthy');
    const until = proxies[0]?.ejected_until ?? '';
    expect(reason).to.equal(`ejected until ${until} after 3 consecutive errors`);
    expect(proxies[0]?.available).to.equal(false);
    expect(Date.parse(until) - Date.now()).to.be.within(1, 700);
    const { upstreams } = (await proxy.admin('/reverse_proxy/upstreams/summary')).json() as {
      upstreams: { address: string; ejected_until: string | null }[];
    };
    expect(upstreams.map(({ ejected_until: end }) => end).sort()).to.deep.equal([until, null].sort());
    // Changes an option and the list of upstreams.
    await proxy.reconciler.load(proxying([a.dial, b.dial, third.dial], outlier, { flush_interval: -1 }));
    expect([...new Set(await texts(proxy, 6))].sort().join('')).to.equal('bc');
    a.status = 200;
    const end = performance.now() + 5000;
    while (!(await texts(proxy, 3)).includes('a') && performance.now() < end) await sleep(10);
    expect(Date.now()).to.be.at.least(Date.parse(until));
    expect((await entry(proxy, a.dial)).proxies[0]?.ejected_until).to.equal(null);
    expect(events).to.deep.equal([
      { name: 'unhealthy', host: a.dial },
      { name: 'healthy', host: a.dial },
    ]);
    expect(metrics.family(upstreamEjections).with(a.dial).value).to.equal(1);
  });

  it('reverse_proxy ejects an upstream that refuses connections, unless it is the last upstream', async () => {
    const [a, b] = [await deadAddress(), await deadAddress()];
    const outlier = { consecutive_errors: 2, max_ejection_percent: 100 };
    const proxy = opened.add(await serve(proxying([a, b], outlier), packages));
    for (let i = 0; i < 10; i++) expect((await proxy.request('/')).status).to.equal(502);
    const ejected = [await entry(proxy, a), await entry(proxy, b)].filter(
      ({ proxies }) => proxies[0]?.ejected_until !== null,
    );
    expect(ejected).to.have.length(1);
  });

  it('reverse_proxy sends few requests to a new upstream if slow start is enabled, and a full share otherwise', async () => {
    const [a, b] = [await upstream('a'), await upstream('b')];
    for (const [slowStart, expected] of [
      ['1h', 0],
      [0, 20],
    ] as const) {
      const config = (dials: readonly string[]): Json =>
        withRoutes([
          {
            handle: [
              proxyTo(dials, {
                load_balancing: { selection_policy: { policy: 'round_robin' }, slow_start: slowStart },
              }),
            ],
          },
        ]);
      const proxy = opened.add(await serve(config([a.dial]), packages));
      expect(await texts(proxy, 2)).to.equal('aa');
      // Advances the clock. Otherwise, slow start would treat both upstreams as equally new.
      const realNow = Date.now;
      Date.now = () => realNow() + 3 * 3_600_000;
      try {
        await proxy.reconciler.load(config([a.dial, b.dial]));
        const toB = (await texts(proxy, 40)).replaceAll('a', '').length;
        expect(toB, String(slowStart)).to.be.within(expected, expected + 1);
      } finally {
        Date.now = realNow;
      }
    }
  });

  it('reverse_proxy in a Caddyfile supports outlier_detection and lb_slow_start, and both are converted back', async () => {
    const text = `:80 {
	reverse_proxy a:1 b:1 {
		lb_slow_start 30s
		outlier_detection {
			consecutive_errors 3
			interval 5s
			base_ejection_time 10s
			max_ejection_time 1m
			max_ejection_percent 50
			stdev_factor 1.5
			min_requests 10
			min_upstreams 2
		}
	}
}
`;
    const document = await fromCaddyfile(text);
    expect(JSON.stringify(document)).to.contain('"stdev_factor":1.5');
    expect((await asCaddyfile(document)).text).to.equal(text);
    const errorOf = (line: string): Promise<string> =>
      fromCaddyfile(`:80\nreverse_proxy a:1 {\noutlier_detection {\n${line}\n}\n}\n`).then(
        () => expect.fail('accepted it'),
        ({ message }: Error) => message,
      );
    expect(await errorOf('stdev_factor much')).to.contain("value 'much': it is not a number");
    expect(await errorOf('panic')).to.contain("unrecognized outlier_detection subdirective 'panic'");
  });

  const findings: readonly [
    what: string,
    dials: readonly string[],
    more: JsonObject,
    outlier: JsonObject | null,
    expected: RegExp | null,
  ][] = [
    [
      'outlier detection with a single upstream',
      ['a:1'],
      {},
      { max_ejection_percent: 100 },
      /the only upstream is never ejected/,
    ],
    ['outlier detection with the same upstream twice', ['a:1', 'a:1'], {}, {}, /the only upstream is never ejected/],
    ['a max_ejection_percent of 0', ['a:1', 'b:1'], {}, { max_ejection_percent: 0 }, /is 0, so no upstream/],
    [
      'too few upstreams for detection by success rate only',
      ['a:1', 'b:1'],
      {},
      { consecutive_errors: 0 },
      /success rates never cause an ejection/,
    ],
    ['a min_upstreams above the number of upstreams', ['a:1', 'b:1'], {}, { min_upstreams: 9 }, /at most 2/],
    ['an unreachable stdev_factor', ['a:1', 'b:1', 'c:1'], {}, { min_upstreams: 3, stdev_factor: 1.5 }, /below 1\.41/],
    ['dynamic upstreams', [], { dynamic_upstreams: { source: 'a', name: 'x', port: '1' } }, {}, null],
    [
      'slow start with a hash policy',
      ['a:1', 'b:1'],
      { load_balancing: { slow_start: '10s', selection_policy: { policy: 'ip_hash' } } },
      null,
      /no effect with the ip_hash policy/,
    ],
    [
      'a queue without a request limit',
      ['a:1'],
      { load_balancing: { queue: 9 } },
      null,
      /without a limit is never full/,
    ],
    ['a queue timeout without a queue', ['a:1'], { load_balancing: { queue_timeout: '1s' } }, null, /without queue/],
    [
      'a queue with a request limit',
      ['a:1'],
      { load_balancing: { queue: 9, queue_timeout: '1s', max_requests: 5 } },
      null,
      null,
    ],
    [
      'a queue for upstreams with a request limit',
      [],
      { upstreams: [{ dial: 'a:1', max_requests: 5 }], load_balancing: { queue: 9 } },
      null,
      null,
    ],
    ['slow start with two upstreams', ['a:1', 'b:1'], { load_balancing: { slow_start: '10s' } }, {}, null],
    ['outlier detection with five upstreams', ['a:1', 'b:1', 'c:1', 'd:1', 'e:1'], {}, { min_requests: 10 }, null],
  ];
  for (const [what, dials, more, outlier, expected] of findings)
    it(`SL061 ${expected === null ? 'accepts' : 'reports'} ${what}`, async () => {
      const checks = outlier === null ? {} : { health_checks: { outlier_detection: outlier } };
      const found = await lintFindings(withRoutes([{ handle: [proxyTo(dials, { ...checks, ...more })] }]), []);
      const messages = found.filter(({ code }) => code === 'SL061').map(({ message }) => message);
      if (expected === null) expect(messages).to.deep.equal([]);
      else expect(messages.join()).to.match(expected);
    });
});
