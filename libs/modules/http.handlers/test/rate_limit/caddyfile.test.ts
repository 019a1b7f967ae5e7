import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { asCaddyfile, freePort, fromCaddyfile, serve } from '@sluice/testing';

const everything = `:80 {
	basic_auth {
		bob $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
	}
	rate_limit /api/* {
		distributed {
			read_interval 3s
			write_interval 2s
			purge_age 1h
		}
		zone b {
			match {
				method POST
				path /x
			}
			match {
				path /y
			}
			key static
			window 1h30m
			events 3
			ipv4_prefix 24
			ipv6_prefix 64
		}
		zone a {
			key {header.X-Key}
			window 10s
			events 1
		}
		storage file_system /tmp/x
		jitter 0.2
		sweep_interval 30s
		log_key
		disable_metrics
		headers
		when_full reject
	}
	respond hi
}
`;

const handlerOf = (document: Json): Json =>
  (document as { apps: { http: { servers: { srv0: { routes: { handle: Json[] }[] } } } } }).apps.http.servers.srv0
    .routes[0]?.handle[0] ?? null;

const errorOf = (lines: string): Promise<string> =>
  fromCaddyfile(`:80\nrate_limit {\n${lines}\n}\n`).then(
    () => expect.fail('accepted it'),
    ({ message }: Error) => message,
  );

describe('rate_limit directive', () => {
  it('the rate_limit directive sets every option of the handler, and runs before basic_auth', async () => {
    expect(handlerOf(await fromCaddyfile(everything))).to.deep.equal({
      handler: 'rate_limit',
      rate_limits: {
        a: { key: '{http.request.header.X-Key}', window: 10_000_000_000, max_events: 1 },
        b: {
          match: [{ method: ['POST'], path: ['/x'] }, { path: ['/y'] }],
          key: 'static',
          window: 5_400_000_000_000,
          max_events: 3,
          ipv4_prefix: 24,
          ipv6_prefix: 64,
        },
      },
      distributed: { read_interval: 3_000_000_000, write_interval: 2_000_000_000, purge_age: 3_600_000_000_000 },
      storage: { module: 'file_system', root: '/tmp/x' },
      jitter: 0.2,
      sweep_interval: 30_000_000_000,
      log_key: true,
      disable_metrics: true,
      headers: true,
      when_full: 'reject',
    });
  });

  it('the rate_limit handler is converted back to the directive with all options', async () => {
    const document = await fromCaddyfile(everything);
    const { text, ...rest } = await asCaddyfile(document);
    expect(await fromCaddyfile(text), JSON.stringify(rest)).to.deep.equal(document);
  });

  it('the rate_limit directive accepts any zone name', async () => {
    const document = await fromCaddyfile(':80\nrate_limit {\nzone constructor {\nwindow 1m\nevents 1\n}\n}\n');
    expect(JSON.stringify(handlerOf(document))).to.contain('"rate_limits":{"constructor":{');
  });

  it('the rate_limit directive omits options that are zero', async () => {
    const lines = ['jitter 0', 'sweep_interval 0', 'zone a {', 'window 1m', 'events 1', 'ipv4_prefix 0', '}'];
    expect(handlerOf(await fromCaddyfile(`:80\nrate_limit {\n${lines.join('\n')}\n}\n`))).to.deep.equal({
      handler: 'rate_limit',
      rate_limits: { a: { window: 60_000_000_000, max_events: 1 } },
    });
  });

  for (const [lines, message] of [
    ['bad 1', /unrecognized rate_limit subdirective 'bad'.*:3$/],
    ['zone a {\nkey x\n}', /zone 'a' requires a window and a number of events above zero.*:5$/],
    ['zone a {\nwindow 1m\n}', /zone 'a' requires a window and a number of events above zero.*:5$/],
    ['zone a {\nwindow 1m\nevents 0\n}', /zone 'a' requires a window and a number of events above zero.*:6$/],
    ['zone a {\nwindow soon\n}', /bad window value 'soon'.*:4$/],
    ['zone a {\nwindow 60\n}', /bad window value '60'.* a unit is missing.*:4$/],
    ['zone a {\nwindow 1m\nevents many\n}', /bad events value 'many': not an integer.*:5$/],
    ['zone a {\nevents 9223372036854775808\n}', /bad events value '9223372036854775808': out of range.*:4$/],
    ['zone a {\nipv6_prefix /64\n}', /bad ipv6_prefix value '\/64'.*:4$/],
    ['zone a {\nwindow 1m\nbad\n}', /unrecognized zone subdirective 'bad'.*:5$/],
    ['zone a {\nmax_events 1\n}', /unrecognized zone subdirective 'max_events'.*:4$/],
    ['zone a {\nmatch {\npathh /x\n}\n}', /module not registered: http.matchers.pathh.*did you mean 'path'.*:5$/],
    ['zone a {\nmatch @named\n}', /module not registered: http.matchers.@named.*:4$/],
    ['zone a {\nkey x\nkey y\n}', /key is already specified.*:5$/],
    ['zone a {\nwindow 1m\nwindow 1m\n}', /window is already specified.*:5$/],
    ['zone a {\nevents 1\nevents 2\n}', /events is already specified.*:5$/],
    ['zone a {\nipv4_prefix 8\nipv4_prefix 8\n}', /ipv4_prefix is already specified.*:5$/],
    ['jitter 0.1\njitter 0.2', /jitter is already specified.*:4$/],
    ['sweep_interval 1s\nsweep_interval 1s', /sweep_interval is already specified.*:4$/],
    ['distributed {\npurge_age 1h\npurge_age 1h\n}', /purge_age is already specified.*:5$/],
    ['zone a {\nwindow 1m\nevents 1\n}\nzone a {\nwindow 1m\n}', /duplicate zone name: a.*:7$/],
    ['zone', /[Ww]rong argument count.*:3$/],
    ['zone a b {\nwindow 1m\nevents 1\n}', /[Ww]rong argument count.*:3$/],
    ['distributed {\nbad 1s\n}', /unrecognized distributed subdirective 'bad'.*:4$/],
    ['distributed {\nread_interval soon\n}', /bad read_interval value 'soon'.*:4$/],
    ['distributed on', /[Ww]rong argument count.*:3$/],
    ['storage nothing', /module not registered: caddy.storage.nothing.*:3$/],
    ['jitter much', /bad jitter value 'much': it is not a number.*:3$/],
    ['jitter NaN', /bad jitter value 'NaN': it is not a number.*:3$/],
    ['log_key yes', /[Ww]rong argument count.*:3$/],
  ] as const)
    it(`the rate_limit directive rejects ${JSON.stringify(lines)}`, async () => {
      expect(await errorOf(lines)).to.match(message);
    });

  it('the rate_limit directive rejects arguments other than a matcher', async () => {
    const error = await fromCaddyfile(':80\nrate_limit /a b {\n}\n').catch(({ message }: Error) => message);
    expect(error).to.match(/[Ww]rong argument count.*'b'.*:2$/);
  });
});

describe('server with the rate_limit directive', () => {
  /** Sends requests with the given header fields to a server configured by a Caddyfile. Returns the response statuses. */
  async function statuses(
    requests: readonly Readonly<Record<string, string>>[],
    site: string,
    options = '',
  ): Promise<(number | string)[]> {
    const port = await freePort();
    const config = await fromCaddyfile(`{\n${options}\n}\nhttp://127.0.0.1:${port} {\n${site}\n}\n`);
    const server = await serve(config, { standard: true, register: [] });
    try {
      const found: (number | string)[] = [];
      for (const headers of requests) {
        const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
        const text = await response.text();
        found.push(text === '' ? response.status : text);
      }
      return found;
    } finally {
      await server.close();
    }
  }

  const limited = 'rate_limit {\nzone clients {\nkey {remote_host}\nwindow 1h\nevents 2\n}\n}\nrespond 204\n';
  const users = 'basic_auth {\nbob $2a$04$P4GtW0rt/PJPpJ/2r6ybkelEqe9XGNCvE2SeUzFDCmgoLiC.dJyri\n}\n';
  const bob = { authorization: `Basic ${Buffer.from('bob:secret').toString('base64')}` };

  it('the rate_limit directive limits requests per client address', async () => {
    expect(await statuses([{}, {}, {}], limited)).to.deep.equal([204, 204, 429]);
  });

  it('the rate_limit directive limits only requests with an API key', async () => {
    const site =
      'rate_limit {\nzone api_keys {\nmatch header X-API-Key *\nkey {header.X-API-Key}\nwindow 1h\nevents 1\n}\n}\nrespond 204\n';
    const [a, b] = [{ 'x-api-key': 'a' }, { 'x-api-key': 'b' }];
    expect(await statuses([a, a, b, {}, {}, b], site)).to.deep.equal([204, 429, 204, 204, 204, 429]);
  });

  it('the rate_limit directive counts requests before authentication', async () => {
    expect(await statuses([{}, bob, bob], users + limited)).to.deep.equal([401, 204, 429]);
  });

  it('the rate_limit directive counts only authenticated requests if the order option moves the directive', async () => {
    const found = await statuses([{}, {}, {}, bob, bob, bob], users + limited, 'order rate_limit after basic_auth');
    expect(found).to.deep.equal([401, 401, 401, 204, 204, 429]);
  });

  it('the rate_limit directive does not count requests handled by earlier directives of a route block, and exposes the zone in error routes', async () => {
    const errors = 'handle_errors 429 {\nrespond "slow down, {http.rate_limit.exceeded.name}"\n}\n';
    const site = `${errors}route {\n@free header X-Free *\nrespond @free 200\n${limited}}\n`;
    const free = { 'x-free': 'yes' };
    expect(await statuses([free, free, free, {}, {}, {}], site)).to.deep.equal([
      ...[200, 200, 200, 204, 204],
      'slow down, clients',
    ]);
  });
});
