import { connect as connectPlain, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { Bench, shakeHands, TestAuthority } from './support.ts';

describe('connection policies', () => {
  let authority: TestAuthority;
  let bench: Bench;
  before(async () => {
    authority = await TestAuthority.make();
  });
  beforeEach(() => {
    bench = new Bench(authority);
  });
  afterEach(() => bench.close());

  const loaded = async (...names: string[]): Promise<void> => {
    bench.loaded = await Promise.all(
      names.map(async (name) => ({ ...(await authority.leaf([name])), tags: [name], source: name })),
    );
  };
  const memory = { certificates: { memory: {} } };

  it('connection policies select an exact certificate first, and then a wildcard certificate', async () => {
    await loaded('a.test', '*.a.test', 'b.a.test', '127.0.0.1');
    await bench.load(memory);
    const port = await bench.listen();
    const served = async (name: string): Promise<string> => (await shakeHands(port, name)).names;
    expect(await served('a.test')).to.equal('DNS:a.test');
    expect(await served('A.TEST')).to.equal('DNS:a.test');
    expect(await served('b.a.test')).to.equal('DNS:b.a.test');
    expect(await served('c.a.test')).to.equal('DNS:*.a.test');
    expect(await served('')).to.equal('IP Address:127.0.0.1');
    expect((await shakeHands(port, 'other')).error).to.match(/ALERT_INTERNAL_ERROR/i);
  });

  it('connection policies count completed, resumed and failed handshakes', async () => {
    await loaded('a.test');
    await bench.load(memory);
    const port = await bench.listen();
    const counted = (): number[] => {
      const block = bench.tally.find('t');
      return [0, 1, 2].map((number) => block?.number(number) ?? 0);
    };
    expect(counted()).to.deep.equal([0, 0, 0]);
    await shakeHands(port, 'a.test');
    expect(counted()).to.deep.equal([1, 0, 0]);
    await shakeHands(port, 'other');
    expect(counted()).to.deep.equal([1, 0, 1]);
    const first = await shakeHands(port, 'a.test');
    expect(counted()).to.deep.equal([2, 0, 1]);
    const second = await shakeHands(port, 'a.test', { session: first.sessions.at(-1) });
    expect(counted()).to.deep.equal([3, second.resumed ? 1 : 0, 1]);
    expect(second.resumed).to.equal(true);
  });

  it('connection policies select a key type that the client supports', async () => {
    const [ecdsa, rsa] = await Promise.all([authority.leaf(['a.test']), authority.leaf(['a.test'], { key: 'rsa' })]);
    bench.loaded = [ecdsa, rsa].map((pair, i) => ({ ...pair, tags: [], source: String(i) }));
    await bench.load(memory);
    const port = await bench.listen();
    const one = await shakeHands(port, 'a.test', { sigalgs: 'ecdsa_secp256r1_sha256' });
    const other = await shakeHands(port, 'a.test', { sigalgs: 'rsa_pss_rsae_sha256' });
    const old = await shakeHands(port, 'a.test', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-GCM-SHA256' });
    expect([one.error, other.error, old.error]).to.deep.equal([null, null, null]);
    expect(one.fingerprint).not.to.equal(other.fingerprint);
    expect(old.fingerprint).to.equal(other.fingerprint);
  });

  const selections: readonly [Json, string][] = [
    [{ any_tag: ['two', 'three'] }, 'second'],
    [{ all_tags: ['one', 'both'] }, 'first'],
    [{ subject_organization: ['second'] }, 'second'],
    [{ serial_number: ['1001'] }, 'first'],
    [{ public_key_algorithm: 'rsa' }, 'none'],
  ];
  for (const [selection, expected] of selections) {
    it(`connection policies select certificates by certificate_selection ${JSON.stringify(selection)}`, async () => {
      const own = new Bench(await TestAuthority.make());
      const first = await own.authority.leaf(['a.test'], { organization: 'first' });
      const second = await own.authority.leaf(['a.test'], { organization: 'second' });
      own.loaded = [
        { ...first, tags: ['one', 'both'], source: 'first' },
        { ...second, tags: ['two', 'both'], source: 'second' },
      ];
      await own.load(memory, [{ certificate_selection: selection }]);
      const port = await own.listen();
      const subject = await new Promise<string>((resolve) => {
        const socket = connect({ port, servername: 'a.test', rejectUnauthorized: false }, () => {
          resolve(String(socket.getPeerCertificate().subject.O));
          socket.destroy();
        });
        socket.on('error', () => resolve('none'));
      });
      await own.close();
      expect(subject).to.equal(expected);
    });
  }

  it('connection policies use the configured versions and protocols', async () => {
    await loaded('a.test');
    await bench.load(memory, [{ protocol_max: 'tls1.2' }]);
    const port = await bench.listen();
    expect((await shakeHands(port, 'a.test')).version).to.equal('TLSv1.2');
    await bench.load(memory, [{ protocol_min: 'tls1.3' }]);
    expect((await shakeHands(port, 'a.test')).version).to.equal('TLSv1.3');
    expect((await shakeHands(port, 'a.test', { maxVersion: 'TLSv1.2' })).error).to.match(/PROTOCOL_VERSION/);
    const protocols = async (...offered: string[]): Promise<string> =>
      (await shakeHands(port, 'a.test', { ALPNProtocols: offered })).protocol;
    expect(await protocols('http/1.1', 'h2')).to.equal('h2');
    expect(await protocols('http/1.1')).to.equal('http/1.1');
    expect((await shakeHands(port, 'a.test', { ALPNProtocols: ['x'] })).error).to.match(/NO_APPLICATION_PROTOCOL/);
  });

  it('connection policies serve a renewed certificate without a configuration change', async () => {
    await loaded('a.test');
    await bench.load(memory);
    const port = await bench.listen();
    const before_ = await shakeHands(port, 'a.test');
    await loaded('a.test');
    bench.reload?.();
    await new Promise(setImmediate);
    const after_ = await shakeHands(port, 'a.test');
    expect(after_.error).to.equal(null);
    expect(after_.fingerprint).not.to.equal(before_.fingerprint);
    bench.loaded = [{ chain: 'broken', key: '', tags: [], source: 'a.pem' }];
    bench.reload?.();
    await new Promise(setImmediate);
    expect((await shakeHands(port, 'a.test')).fingerprint).to.equal(after_.fingerprint);
    expect(JSON.stringify(bench.logged)).to.contain('a.pem');
  });

  // Attack in docs/security.md: Resumption of a session that began with a different server name or policy (CVE-2025-23419).
  it('connection policies do not resume sessions of other policies, regardless of the ticket key', async () => {
    await loaded('a.test');
    await bench.load(memory, [{}]);
    const port = await bench.listen();
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      await bench.load(memory, [{}]);
      const session = (await shakeHands(port, 'a.test', { maxVersion })).sessions.at(-1) as Buffer;
      await bench.load(memory, [{ client_authentication: { mode: 'require' } }]);
      const outcome = await shakeHands(port, 'a.test', { maxVersion, session });
      expect([outcome.text, outcome.resumed], maxVersion).to.deep.equal(['', false]);
      await bench.load(memory, [{}]);
      expect((await shakeHands(port, 'a.test', { maxVersion, session })).resumed, maxVersion).to.equal(true);
    }
  });

  // Attack in docs/security.md: TLS connection policies with invalid `alpn`, and servers with invalid `protocols`.
  it('connection policies reject invalid ALPN names and report their paths', async () => {
    const refused = async (alpn: readonly string[]): Promise<string> => {
      try {
        await bench.load(memory, [{ alpn: [...alpn] }]);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(await refused(['h2', ''])).to.match(/policies\[0\]\.alpn\[1\]: .*must not be empty/);
    expect(await refused(['a'.repeat(256)])).to.match(/alpn\[0\]: .*at most 255 bytes, but this one has 256/);
    expect(await refused(['é'.repeat(128)])).to.match(/at most 255 bytes, but this one has 256/);
    expect(await refused(Array.from({ length: 257 }, (_, i) => `${i}${'a'.repeat(252)}`))).to.match(
      /but these have 65\d{3}/,
    );
    expect(await refused(['a'.repeat(255), 'h2'])).to.equal('');
    await loaded('a.test');
    await bench.load({ certificates: { memory: { round: '2' } } }, [{ alpn: ['a'.repeat(255), 'h2'] }]);
    const port = await bench.listen();
    expect((await shakeHands(port, 'a.test', { ALPNProtocols: ['h2'] })).protocol).to.equal('h2');
  });

  it('connection policies support session resumption', async () => {
    await loaded('a.test');
    await bench.load(memory, [{}]);
    const port = await bench.listen();
    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      const session = (await shakeHands(port, 'a.test', { maxVersion })).sessions.at(-1);
      const again = await shakeHands(port, 'a.test', { maxVersion, ...(session === undefined ? {} : { session }) });
      expect([again.error, again.resumed], maxVersion).to.deep.equal([null, true]);
    }
    expect(bench.infos.map(({ resumed }) => resumed)).to.deep.equal([false, true, false, true]);
    expect(new Set(bench.infos.map(({ serverName }) => serverName))).to.deep.equal(new Set(['a.test']));
  });

  it('connection policies send one ticket in every handshake, including resumed handshakes', async () => {
    await loaded('a.test');
    await bench.load(memory, [{}]);
    const port = await bench.listen();
    const { sessions } = await shakeHands(port, 'a.test');
    expect(sessions).to.have.length(1);
    const [session] = sessions as [Buffer];
    const again = await shakeHands(port, 'a.test', { session });
    expect([again.resumed, again.sessions.length]).to.deep.equal([true, 1]);
    const [renewed] = again.sessions as [Buffer];
    expect((await shakeHands(port, 'a.test', { session: renewed })).resumed).to.equal(true);
    const several = await Promise.all(Array.from({ length: 5 }, () => shakeHands(port, 'a.test')));
    expect(several.map((each) => each.sessions.length)).to.deep.equal([1, 1, 1, 1, 1]);
  });

  // Attack in docs/security.md: Session tickets during interleaved handshakes.
  it('connection policies send TLS 1.2 tickets regardless of concurrent handshakes', async () => {
    await loaded('a.test');
    await bench.load(memory, [{}]);
    const port = await bench.listen();
    const version = { maxVersion: 'TLSv1.2' } as const;
    const [session] = (await shakeHands(port, 'a.test', version)).sessions as [Buffer];
    // The resuming client has its ticket but cannot continue, because the relay delays the server's output.
    const held = await holdBack(port);
    const pending = shakeHands(held.port, 'a.test', { ...version, session });
    await held.saysSomething;
    const others = await Promise.all([1, 2, 3].map(() => shakeHands(port, 'a.test', version)));
    expect(others.map(({ sessions }) => sessions.length)).to.deep.equal([1, 1, 1]);
    held.release();
    expect((await pending).resumed).to.equal(true);
    held.close();
  });

  // Attack in docs/security.md: Session tickets encrypted with keys that have been rotated out (same class as CVE-2026-97629).
  it('connection policies resume sessions with a previous key, but not with unknown keys', async () => {
    await loaded('a.test');
    await bench.load(memory, [{}]);
    const port = await bench.listen();
    const [first, second, third] = [Buffer.alloc(48, 7), Buffer.alloc(48, 8), Buffer.alloc(48, 9)];
    const [old] = (await shakeHands(port, 'a.test')).sessions as [Buffer];
    bench.rotate?.([second, first]);
    const again = await shakeHands(port, 'a.test', { session: old });
    expect(again.resumed).to.equal(true);
    const [session] = again.sessions as [Buffer];
    bench.rotate?.([third, second]);
    expect((await shakeHands(port, 'a.test', { session: old })).resumed).to.equal(false);
    expect((await shakeHands(port, 'a.test', { session })).resumed).to.equal(true);
  });

  // Attack in docs/security.md: TLS renegotiation.
  it('connection policies reject renegotiation, because it costs clients little but the server a lot', async () => {
    await loaded('a.test');
    await bench.load(memory, [{}]);
    const port = await bench.listen();
    bench.ends = false;
    const options = { port, host: '127.0.0.1', servername: 'a.test', rejectUnauthorized: false } as const;
    const socket = connect({ ...options, maxVersion: 'TLSv1.2' });
    await once(socket, 'secureConnect');
    const outcome = await new Promise<string>((resolve) => {
      socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
      socket.renegotiate({ rejectUnauthorized: false }, () => resolve('done'));
    });
    bench.ends = true;
    socket.destroy();
    expect(outcome).to.equal('ERR_SSL_NO_RENEGOTIATION');
  });

  it('connection policies support a fragmented ClientHello', async () => {
    await loaded('a.test');
    await bench.load(memory);
    const port = await bench.listen();
    for (const size of [1, 7, 600]) {
      const raw = connectPlain(port, '127.0.0.1').setNoDelay(true);
      await once(raw, 'connect');
      const drip = new Duplex({
        read: () => undefined,
        write: (chunk: Buffer, _encoding, done) => {
          for (let at = 0; at < chunk.length; at += size) raw.write(chunk.subarray(at, at + size));
          done();
        },
        final: (done) => void raw.end(done),
      });
      raw.on('data', (chunk) => drip.push(chunk)).on('end', () => drip.push(null));
      const secure = connect({ socket: drip, servername: 'a.test', rejectUnauthorized: false }).setEncoding('utf8');
      const [text] = (await once(secure, 'data')) as [string];
      expect(text).to.equal('hello\n');
      raw.destroy();
    }
  });

  it('connection policies send an explanation to clients that use plain HTTP, and do not respond to other invalid input', async () => {
    await bench.load({});
    const port = await bench.listen();
    const response = async (bytes: string): Promise<string> => {
      const socket = connectPlain(port, '127.0.0.1').setEncoding('latin1');
      let text = '';
      socket.on('data', (part: string) => (text += part)).on('error', () => undefined);
      socket.write(bytes);
      await once(socket, 'close');
      return text;
    };
    expect(await response('GET / HTTP/1.1\r\n\r\n')).to.match(/^HTTP\/1\.0 400 /);
    expect(await response('SSH-2.0-x\r\n')).to.equal('');
    expect(await response('\x16\x03\x01\x00\x00')).to.equal('');
    expect(await response('\x16\x03\x01\x00\x04\x02\x00\x00\x00')).to.equal('');
  });

  const modes: readonly [string, 'none' | 'known' | 'foreign', boolean][] = [
    ['request', 'none', true],
    ['request', 'foreign', true],
    ['require', 'none', false],
    ['require', 'foreign', true],
    ['verify_if_given', 'none', true],
    ['verify_if_given', 'foreign', false],
    ['verify_if_given', 'known', true],
    ['require_and_verify', 'none', false],
    ['require_and_verify', 'foreign', false],
    ['require_and_verify', 'known', true],
  ];
  for (const [mode, client, welcome] of modes) {
    it(`connection policies ${welcome ? 'accept' : 'reject'} a client with ${client === 'none' ? 'no' : `a ${client}`} certificate in mode ${mode}`, async () => {
      await loaded('a.test');
      const der = authority.pem.split('\n').slice(1, -2).join('');
      await bench.load(memory, [{ client_authentication: { mode, trusted_ca_certs: [der] } }]);
      const port = await bench.listen();
      const by = client === 'known' ? authority : await TestAuthority.make();
      const pair = client === 'none' ? null : await by.leaf(['client.test']);
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        const own = pair === null ? {} : { cert: pair.chain, key: pair.key };
        const { text } = await shakeHands(port, 'a.test', { maxVersion, ...own });
        expect(text, maxVersion).to.equal(welcome ? 'hello\n' : '');
        if (!welcome) continue;
        const info = bench.infos.at(-1);
        expect(info?.clientCertificate === null).to.equal(client === 'none');
        expect(info?.clientProblem).to.equal(client === 'foreign' ? 'certificate signature failure' : null);
      }
    });
  }

  it('connection policies keep TLS contexts across unrelated changes', async () => {
    await loaded('a.test');
    const policies = [{ protocol_min: 'tls1.3' }];
    await bench.load(memory, policies);
    const port = await bench.listen();
    const { sessions } = await shakeHands(port, 'a.test');
    const session = sessions.at(-1) as Buffer;
    const document = bench.runtime.config as { storage: object; apps: { tls: object; host: object } };
    const changed = { ...document, apps: { ...document.apps, tls: { ...document.apps.tls, cache: { capacity: 7 } } } };
    bench.runtime.commit(await bench.runtime.prepare(changed as never));
    // The ticket was encrypted with a key of the TLS context, which has not been replaced.
    expect((await shakeHands(port, 'a.test', { session })).resumed).to.equal(true);
  });
});

/** Starts a relay to another port. It delays the server's output until the test releases it. */
async function holdBack(to: number): Promise<{
  port: number;
  saysSomething: Promise<unknown>;
  release(): void;
  close(): void;
}> {
  const held: Buffer[] = [];
  const sockets: Socket[] = [];
  let released = false;
  const said = Promise.withResolvers<void>();
  const server = createServer((client) => {
    const upstream = connectPlain(to, '127.0.0.1');
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      if (released) client.write(chunk);
      else held.push(chunk);
      said.resolve();
    });
    upstream.on('end', () => client.end());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    saysSomething: said.promise,
    release: () => {
      released = true;
      for (const chunk of held) sockets[0]?.write(chunk);
    },
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
