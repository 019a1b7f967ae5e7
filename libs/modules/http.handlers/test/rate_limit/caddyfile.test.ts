import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';

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

describe('The directive rate_limit', () => {
  it('sets every option of the handler, before basic_auth', async () => {
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

  it('is written again with all of them', async () => {
    const document = await fromCaddyfile(everything);
    const { text, ...rest } = await asCaddyfile(document);
    expect(await fromCaddyfile(text), JSON.stringify(rest)).to.deep.equal(document);
  });

  it('accepts any name of a zone', async () => {
    const document = await fromCaddyfile(':80\nrate_limit {\nzone constructor {\nwindow 1m\nevents 1\n}\n}\n');
    expect(JSON.stringify(handlerOf(document))).to.contain('"rate_limits":{"constructor":{');
  });

  for (const [lines, message] of [
    ['bad 1', /unrecognized rate_limit subdirective 'bad'.*:3$/],
    ['zone a {\nkey x\n}', /a zone requires a window.*:5$/],
    ['zone a {\nwindow 1m\n}', /a zone requires a window and a number of events/],
    ['zone a {\nwindow soon\n}', /bad window value 'soon'.*:4$/],
    ['zone a {\nwindow 1m\nevents many\n}', /bad events value 'many'.*:5$/],
    ['zone a {\nwindow 1m\nbad\n}', /unrecognized zone subdirective 'bad'.*:5$/],
    ['zone a {\nwindow 1m\nevents 1\n}\nzone a {\nwindow 1m\n}', /duplicate zone name: a.*:7$/],
    ['zone', /[Ww]rong argument count.*:3$/],
    ['distributed {\nbad 1s\n}', /unrecognized distributed subdirective 'bad'.*:4$/],
    ['jitter much', /bad jitter value 'much'.*:3$/],
    ['log_key yes', /[Ww]rong argument count.*:3$/],
  ] as const)
    it(`rejects ${JSON.stringify(lines)}`, async () => {
      expect(await errorOf(lines)).to.match(message);
    });
});
