import { expect } from 'chai';
import type { Json } from '@sluice/base';
import type { TransportName } from '@sluice/layer4-app';
import { clientHello, dnsOverTcp, dnsQuery, postgresSsl, postgresStartup } from './samples.ts';
import { matcherOf, sampleConnection } from './support.ts';

interface Case {
  readonly matcher: string;
  readonly options?: Json;
  readonly bytes: string | Buffer;
  readonly matches: boolean;
  readonly transport?: TransportName;
  readonly about: string;
}

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** A SETTINGS frame, and a HEADERS frame with `:method: GET`, `:path: /`, `:scheme: http`, `:authority: h2.test`. */
const h2 = Buffer.concat([
  Buffer.from(preface),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
  Buffer.from([0, 0, 12, 1, 5, 0, 0, 0, 1, 0x82, 0x84, 0x86, 0x41, 7]),
  Buffer.from('h2.test'),
]);

const cases: readonly Case[] = [
  { matcher: 'ssh', bytes: 'SSH-2.0-OpenSSH_9.9\r\n', matches: true, about: 'an SSH client' },
  { matcher: 'ssh', bytes: 'GET / HTTP/1.1\r\n', matches: false, about: 'an HTTP client' },
  {
    matcher: 'http',
    options: [],
    bytes: 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n',
    matches: true,
    about: 'any request',
  },
  {
    matcher: 'http',
    options: [{ host: ['a.test'], path: ['/x*'] }],
    bytes: 'POST /xy?q HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\r\n\r\nabc',
    matches: true,
    about: 'a request for the host and path',
  },
  {
    matcher: 'http',
    options: [{ host: ['a.test'] }],
    bytes: 'GET / HTTP/1.1\r\nHost: b.test\r\n\r\n',
    matches: false,
    about: 'a request for another host',
  },
  { matcher: 'http', options: [{ host: ['h2.test'] }], bytes: h2, matches: true, about: 'HTTP/2 with prior knowledge' },
  { matcher: 'http', options: [{ host: ['x.test'] }], bytes: h2, matches: false, about: 'HTTP/2 for another host' },
  { matcher: 'http', options: [], bytes: 'HELO mail.test\r\n', matches: false, about: 'an SMTP client' },
  { matcher: 'http', options: [], bytes: Buffer.from([22, 3, 1, 0, 5]), matches: false, about: 'a TLS client' },
  {
    matcher: 'xmpp',
    bytes: "<?xml version='1.0'?><stream:stream to='a.test' xmlns='jabber:client'>",
    matches: true,
    about: 'an XMPP client',
  },
  { matcher: 'xmpp', bytes: `<html>${' '.repeat(600)}`, matches: false, about: 'other XML' },
  {
    matcher: 'postgres',
    options: {},
    bytes: postgresStartup({ user: 'ada' }),
    matches: true,
    about: 'a startup message',
  },
  { matcher: 'postgres', options: {}, bytes: postgresSsl, matches: true, about: 'a request for TLS' },
  {
    matcher: 'postgres',
    options: { tls: 'disabled' },
    bytes: postgresSsl,
    matches: false,
    about: 'a request for TLS that is disabled',
  },
  {
    matcher: 'postgres',
    options: { tls: 'enabled' },
    bytes: postgresStartup({ user: 'ada' }),
    matches: false,
    about: 'a startup message without the required TLS',
  },
  {
    matcher: 'postgres',
    options: { user: { ada: ['stars'], '*': ['public'] } },
    bytes: postgresStartup({ user: 'ada', database: 'stars' }),
    matches: true,
    about: 'a listed user and database',
  },
  {
    matcher: 'postgres',
    options: { user: { ada: ['stars'], '*': ['public'] } },
    bytes: postgresStartup({ user: 'ada', database: 'public' }),
    matches: false,
    about: 'a database that is listed for other users',
  },
  {
    matcher: 'postgres',
    options: { user: { ada: ['stars'], '*': ['public'] } },
    bytes: postgresStartup({ user: 'bob', database: 'public' }),
    matches: true,
    about: 'any other user',
  },
  {
    matcher: 'postgres',
    options: { client: ['psql'] },
    bytes: postgresStartup({ user: 'ada', application_name: 'psql' }),
    matches: true,
    about: 'an application name',
  },
  { matcher: 'postgres', options: {}, bytes: 'GET / HTTP/1.1\r\n\r\n', matches: false, about: 'an HTTP client' },
  {
    matcher: 'proxy_protocol',
    bytes: 'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
    matches: true,
    about: 'a version 1 header',
  },
  {
    matcher: 'proxy_protocol',
    bytes: Buffer.from('0d0a0d0a000d0a515549540a2000', 'hex'),
    matches: true,
    about: 'a version 2 header',
  },
  { matcher: 'proxy_protocol', bytes: 'POST / HTTP/1.1\r\n', matches: false, about: 'an HTTP client' },
  { matcher: 'socks5', options: {}, bytes: Buffer.from([5, 2, 0, 2]), matches: true, about: 'known methods' },
  { matcher: 'socks5', options: {}, bytes: Buffer.from([5, 2, 0, 9]), matches: false, about: 'an unknown method' },
  {
    matcher: 'socks5',
    options: { auth_methods: [9] },
    bytes: Buffer.from([5, 1, 9]),
    matches: true,
    about: 'a listed method',
  },
  {
    matcher: 'socks4',
    options: {},
    bytes: Buffer.from([4, 1, 1, 187, 10, 0, 0, 1, 0]),
    matches: true,
    about: 'CONNECT to any address',
  },
  {
    matcher: 'socks4',
    options: { commands: ['bind'] },
    bytes: Buffer.from([4, 1, 1, 187, 10, 0, 0, 1, 0]),
    matches: false,
    about: 'another command',
  },
  {
    matcher: 'socks4',
    options: { networks: ['10.0.0.0/8'], ports: [80, 443] },
    bytes: Buffer.from([4, 1, 1, 187, 10, 0, 0, 1, 0]),
    matches: true,
    about: 'a listed destination',
  },
  {
    matcher: 'socks4',
    options: { ports: [80] },
    bytes: Buffer.from([4, 1, 1, 187, 10, 0, 0, 1, 0]),
    matches: false,
    about: 'another port',
  },
  {
    matcher: 'regexp',
    options: { pattern: '^ab', count: 2 },
    bytes: 'abc',
    matches: true,
    about: 'input that matches the pattern',
  },
  {
    matcher: 'regexp',
    options: { pattern: '^\\d+$' },
    bytes: '12x45',
    matches: false,
    about: 'input with a letter in the default four bytes',
  },
  {
    matcher: 'regexp',
    options: { pattern: '^\\xff\\xfe', count: 2 },
    bytes: Buffer.from([0xff, 0xfe]),
    matches: true,
    about: 'bytes that are not UTF-8',
  },
  {
    matcher: 'regexp',
    options: { pattern: '^9E79', hex: true, count: 2 },
    bytes: Buffer.from([0x9e, 0x79]),
    matches: true,
    about: 'bytes in hexadecimal form',
  },
  { matcher: 'dns', options: {}, bytes: dnsOverTcp(dnsQuery('a.test', 1)), matches: true, about: 'any query over TCP' },
  {
    matcher: 'dns',
    options: {},
    bytes: dnsQuery('a.test', 1),
    matches: true,
    transport: 'udp',
    about: 'any query over UDP',
  },
  {
    matcher: 'dns',
    options: {},
    bytes: 'GET / HTTP/1.1\r\n',
    matches: false,
    transport: 'udp',
    about: 'other packets',
  },
  {
    matcher: 'dns',
    options: { allow: [{ name: 'a.test.', type: 'A' }] },
    bytes: dnsQuery('A.test', 1),
    matches: true,
    transport: 'udp',
    about: 'an allowed question in any letter case',
  },
  {
    matcher: 'dns',
    options: { allow: [{ name: 'a.test.', type: 'A' }] },
    bytes: dnsQuery('a.test', 28),
    matches: false,
    transport: 'udp',
    about: 'a question with a type that is not allowed',
  },
  {
    matcher: 'dns',
    options: { deny: [{ type_regexp: '^(MX|NS)$' }] },
    bytes: dnsQuery('a.test', 15),
    matches: false,
    transport: 'udp',
    about: 'a question with a denied type',
  },
  {
    matcher: 'dns',
    options: { deny: [{ type_regexp: '^(MX|NS)$' }] },
    bytes: dnsQuery('a.test', 1),
    matches: true,
    transport: 'udp',
    about: 'a question without a matching rule',
  },
  {
    matcher: 'dns',
    options: { deny: [{ class: 'IN' }], allow: [{ name: 'a.test.' }], prefer_allow: true },
    bytes: dnsQuery('a.test', 1),
    matches: true,
    transport: 'udp',
    about: 'a question that is both allowed and denied with allow preferred',
  },
  {
    matcher: 'dns',
    options: { deny: [{ class: 'CH' }], default_deny: true },
    bytes: dnsQuery('a.test', 1),
    matches: false,
    transport: 'udp',
    about: 'a question that is denied by default',
  },
  {
    matcher: 'wireguard',
    options: {},
    bytes: Buffer.concat([Buffer.from([1, 0, 0, 0]), Buffer.alloc(144)]),
    matches: true,
    transport: 'udp',
    about: 'a handshake initiation',
  },
  {
    matcher: 'wireguard',
    options: { zero: 4_285_988_864 },
    bytes: Buffer.concat([Buffer.from([1, 0, 0x77, 0xff]), Buffer.alloc(144)]),
    matches: true,
    transport: 'udp',
    about: 'a handshake initiation with configured reserved bytes',
  },
  {
    matcher: 'wireguard',
    options: {},
    bytes: Buffer.concat([Buffer.from([1, 0, 0, 0]), Buffer.alloc(100)]),
    matches: false,
    transport: 'udp',
    about: 'a handshake initiation of another size',
  },
];

describe('layer4.matchers', () => {
  for (const { matcher, options = {}, bytes, matches, transport = 'tcp', about } of cases) {
    it(`the ${matcher} matcher ${matches ? 'matches' : 'does not match'} ${about}`, async () => {
      const { instance, close } = await matcherOf(matcher, options);
      const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
      expect(await instance.match(sampleConnection({}, transport), all, all.length)).to.equal(matches);
      await close();
    });

    if (transport === 'tcp')
      it(`the ${matcher} matcher makes the same decision about ${about} regardless of how the bytes are segmented`, async () => {
        const { instance, close } = await matcherOf(matcher, options);
        const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
        for (let end = 0; end < all.length; end++) {
          const verdict = await instance.match(sampleConnection(), Buffer.from(all.subarray(0, end)), end);
          expect(verdict, `${end} bytes`).to.be.oneOf([null, matches]);
        }
        await close();
      });
  }

  it('the tls matcher matches by server name and protocol, and sets its placeholders', async () => {
    const hello = await clientHello('b.test', ['h2', 'x/1']);
    const matching = async (options: Json): Promise<unknown> => {
      const { instance, close } = await matcherOf('tls', options);
      const connection = sampleConnection();
      const verdict = instance.match(connection, hello, hello.length);
      await close();
      return [verdict, connection.value('tls.server_name'), connection.value('tls.version')];
    };
    expect(await matching({})).to.eql([true, 'b.test', 'tls1.3']);
    expect(await matching({ sni: ['b.test'], alpn: ['x/1'] })).to.eql([true, 'b.test', 'tls1.3']);
    expect(await matching({ sni: ['c.test'] })).to.eql([false, 'b.test', 'tls1.3']);
    expect(await matching({ alpn: ['http/1.1'] })).to.eql([false, 'b.test', 'tls1.3']);
  });

  it('the tls matcher waits for the complete ClientHello', async () => {
    const hello = await clientHello('b.test', []);
    const { instance, close } = await matcherOf('tls', {});
    for (let end = 0; end < hello.length; end += 7)
      expect(instance.match(sampleConnection(), hello, end)).to.equal(null);
    expect(instance.match(sampleConnection(), Buffer.from('SSH-'), 4)).to.equal(false);
    await close();
  });

  it('the remote_ip and local_ip matchers do not need any bytes from the client', async () => {
    const nothing = Buffer.alloc(0);
    for (const [name, ranges, matches] of [
      ['remote_ip', ['192.0.2.0/24'], true],
      ['remote_ip', ['198.51.100.1'], false],
      ['local_ip', ['198.51.100.1'], true],
      ['local_ip', ['192.0.2.7'], false],
    ] as const) {
      const { instance, close } = await matcherOf(name, { ranges: [...ranges] });
      expect(instance.match(sampleConnection(), nothing, 0), `${name} ${ranges.join()}`).to.equal(matches);
      await close();
    }
  });

  it('the not matcher negates its matcher sets, and waits while the sets are undecided', async () => {
    const { instance, close } = await matcherOf('not', [{ ssh: {} }, { remote_ip: { ranges: ['10.0.0.0/8'] } }]);
    expect(instance.match(sampleConnection(), Buffer.from('SSH-2'), 5)).to.equal(false);
    expect(instance.match(sampleConnection(), Buffer.from('HTTP'), 4)).to.equal(true);
    expect(instance.match(sampleConnection(), Buffer.from('SS'), 2)).to.equal(null);
    expect(instance.match(sampleConnection({ remoteAddress: '10.1.1.1' }), Buffer.from('SS'), 2)).to.equal(false);
    await close();
  });

  it('the vars and vars_regexp matchers read variables and placeholders', async () => {
    const connection = sampleConnection();
    connection.setVariable('backend', 'a1');
    const nothing = Buffer.alloc(0);
    const exact = await matcherOf('vars', { '{l4.conn.remote_addr}': ['192.0.2.7:5000'] });
    expect(exact.instance.match(connection, nothing, 0)).to.equal(true);
    const other = await matcherOf('vars', { backend: ['b', '{l4.vars.none}'] });
    expect(other.instance.match(connection, nothing, 0)).to.equal(false);
    const pattern = await matcherOf('vars_regexp', { backend: { name: 'n', pattern: '^a(?P<digit>\\d)$' } });
    expect(pattern.instance.match(connection, nothing, 0)).to.equal(true);
    expect(connection.captures('n')?.group('digit')).to.equal('1');
    for (const { close } of [exact, other, pattern]) await close();
  });

  it('the clock matcher matches the current time in a zone', async () => {
    const now = new Date();
    const two = (value: number): string => String(value).padStart(2, '0');
    const hour = now.getUTCHours();
    const period = { after: `${two(hour)}:00:00`, before: hour === 23 ? '00:00:00' : `${two(hour + 1)}:00:00` };
    const inside = await matcherOf('clock', period);
    const outside = await matcherOf('not', [{ clock: period }]);
    const shifted = await matcherOf('clock', { ...period, timezone: '+12' });
    const nothing = Buffer.alloc(0);
    // Skips the check if the hour has changed during the test.
    if (new Date().getUTCHours() === hour) {
      expect(inside.instance.match(sampleConnection(), nothing, 0)).to.equal(true);
      expect(outside.instance.match(sampleConnection(), nothing, 0)).to.equal(false);
      expect(shifted.instance.match(sampleConnection(), nothing, 0)).to.equal(false);
    }
    for (const { close } of [inside, outside, shifted]) await close();
  });
});
