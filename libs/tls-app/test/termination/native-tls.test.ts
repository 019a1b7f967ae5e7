/** TLS through the OpenSSL bindings, over real connections. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { hasLayer, onFault, polledSockets, type LayeredSocket, type SocketLayer } from '@sluice/base';
import { nativeProblem, PolledSocket, StreamContext, StreamSession } from '@sluice/native';
import { nativeTls } from '../../src/policies/native-choice.ts';
import { NativeTls } from '../../src/termination/native-tls.ts';
import { Bench, shakeHands, TestAuthority, until } from '../support.ts';

const contextOptions = {
  minVersion: 0x0303,
  maxVersion: 0x0304,
  ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256',
  ciphersuites: 'TLS_AES_128_GCM_SHA256',
  groups: 'X25519',
  options: 0,
  alpn: null,
  sessionId: 'test',
  sendsTickets: false,
  ticketKeys: null,
  verification: 'none',
  authorities: [],
} as const;

/** A socket without a connection. */
class FakeSocket extends Duplex {
  layer: SocketLayer | null = null;
  readonly connectionDescriptor = -1;

  override _read(): void {}

  writeBelow(_bytes: Buffer, done: () => void): void {
    done();
  }
}

for (const isPolled of [false, true])
  describe(`TLS through the OpenSSL bindings, on sockets ${isPolled ? 'without' : 'with'} libuv handles`, () => {
    let authority: TestAuthority;
    let bench: Bench;
    let port: number;
    const isEnabled = nativeTls.allowed;
    const wasPolled = polledSockets.allowed;
    const faults: unknown[] = [];
    let stop = (): void => undefined;
    before(async function () {
      if (nativeProblem() !== null) this.skip();
      authority = await TestAuthority.make();
      stop = onFault((fault) => faults.push(fault.error));
    });
    after(() => stop());
    beforeEach(async () => {
      nativeTls.allowed = true;
      polledSockets.allowed = isPolled;
      bench = new Bench(authority);
      bench.loaded = [{ ...(await authority.leaf(['a.test'])), tags: [], source: 'a.pem' }];
      bench.ends = false;
      port = await bench.listen();
      await bench.load({ certificates: { memory: {} } });
    });
    afterEach(async () => {
      nativeTls.allowed = isEnabled;
      polledSockets.allowed = wasPolled;
      await bench.close();
      expect(faults).to.deep.equal([]);
    });

    /** Returns both ends of a connection after the server's first line. */
    async function connected(): Promise<{ client: TLSSocket; server: Socket }> {
      const client = connect({ port, host: '127.0.0.1', servername: 'a.test', rejectUnauthorized: false });
      client.on('error', () => undefined);
      await once(client, 'data');
      const server = bench.sockets.at(-1) as Socket;
      expect(hasLayer(server)).to.equal(true);
      expect(server instanceof PolledSocket).to.equal(isPolled);
      return { client, server };
    }

    const collect = (socket: Socket): { bytes(): Buffer } => {
      const chunks: Buffer[] = [];
      socket.on('data', (chunk: Buffer) => chunks.push(chunk));
      return { bytes: () => Buffer.concat(chunks) };
    };

    it('native TLS connections deliver large writes of all kinds in order, even to a client that pauses', async () => {
      const { client, server } = await connected();
      const received = collect(client);
      client.pause();
      const large = randomBytes(3_000_000);
      const parts: (Buffer | string)[] = ['start', large, '', Buffer.alloc(0), 'é€'.repeat(60_000), randomBytes(10)];
      let written = 0;
      for (const part of parts) server.write(part, () => written++);
      server.cork();
      for (const part of [...parts].reverse()) server.write(part, () => written++);
      server.uncork();
      await sleep(50);
      expect(written).to.be.lessThan(2 * parts.length);
      expect(server.writableLength).to.be.greaterThan(0);
      client.resume();
      const expected = Buffer.concat([...parts, ...[...parts].reverse()].map((part) => Buffer.from(part as string)));
      await until(() => received.bytes().length >= expected.length);
      expect(received.bytes().equals(expected)).to.equal(true);
      expect(written).to.equal(2 * parts.length);
      client.destroy();
    });

    // Attack in docs/security.md: TLS clients that send requests and do not read the responses.
    it('writes of a native TLS connection wait for a client that sends but does not read', async function () {
      this.timeout(60_000);
      const { client, server } = await connected();
      client.pause();
      const response = randomBytes(15_000);
      let answered = 0;
      // Each write is small enough to be held until the end of the read.
      server.on('data', () => {
        if (server.writableNeedDrain) return;
        server.write(response);
        answered++;
      });
      const requests = 4000;
      for (let i = 0; i < requests && !server.writableNeedDrain; i++) {
        client.write('x');
        if (i % 4 === 0) await sleep(1);
      }
      expect(answered).to.be.lessThan(requests);
      expect(server.writableLength).to.be.greaterThan(0).and.lessThan(200_000);
      const received = collect(client);
      client.resume();
      await until(() => received.bytes().length >= answered * response.length);
      expect(received.bytes().subarray(-response.length).equals(response)).to.equal(true);
      client.destroy();
    });

    it('native TLS connections receive large uploads correctly, even with pauses', async () => {
      const { client, server } = await connected();
      const received = collect(server);
      const upload = randomBytes(4_000_000);
      client.write(upload);
      for (let i = 0; i < 5; i++) {
        server.pause();
        await sleep(5);
        server.resume();
      }
      await until(() => received.bytes().length >= upload.length);
      expect(received.bytes().equals(upload)).to.equal(true);
      client.destroy();
    });

    it('bytes that arrive while a certificate is looked up are never read as plain text', async () => {
      const { chain, key } = await authority.leaf(['a.test']);
      const context = new StreamContext({ ...contextOptions, certificate: chain, key });
      for (const size of [40, 200_000]) {
        const socket = new FakeSocket();
        socket.push(Buffer.alloc(size, 'GET / HTTP/1.1\r\n'));
        const failures: Error[] = [];
        const layer = new NativeTls(socket as unknown as LayeredSocket, context, null, {
          onSecure: () => true,
          onHandshakeFailed: (error) => failures.push(error),
          fault: (error) => faults.push(error),
        });
        layer.start(Buffer.alloc(0));
        expect(failures).to.have.length(1);
        expect(socket.read()).to.equal(null);
        layer.close();
        socket.destroy();
      }
      context.free();
    });

    it('a session ticket, a response and the closing alert are sent in one write', async () => {
      bench.ends = true;
      const { sendTo } = StreamSession.prototype;
      let writes = 0;
      StreamSession.prototype.sendTo = function (descriptor) {
        writes++;
        return sendTo.call(this, descriptor);
      };
      try {
        const { error, text, sessions } = await shakeHands(port, 'a.test', { minVersion: 'TLSv1.3' });
        expect({ error, text, tickets: sessions.length }).to.deep.equal({ error: null, text: 'hello\n', tickets: 1 });
        // The other writes are the server's handshake messages, and the empty response to the closing alert.
        expect(writes).to.be.at.most(3);
      } finally {
        StreamSession.prototype.sendTo = sendTo;
      }
    });

    it('output deferred until a read completes is sent before the output of other connections and before large writes', async () => {
      const [one, other] = [await connected(), await connected()];
      const [toOne, toOther] = [collect(one.client), collect(other.client)];
      const large = randomBytes(300_000);
      one.server.removeAllListeners('data');
      one.server.on('data', () => {
        one.server.write('a');
        other.server.write('b');
        one.server.write('c');
        one.server.write(large);
        other.server.write(large);
        one.server.write('d');
        other.server.end('e');
        one.server.end('f');
      });
      one.client.write('x');
      await Promise.all([once(one.client, 'end'), once(other.client, 'end')]);
      expect(toOne.bytes().equals(Buffer.concat([Buffer.from('ac'), large, Buffer.from('df')]))).to.equal(true);
      expect(toOther.bytes().equals(Buffer.concat([Buffer.from('b'), large, Buffer.from('e')]))).to.equal(true);
    });

    it('output buffered before an exception or before the socket is destroyed is sent only to its own client', async () => {
      const [one, other] = [await connected(), await connected()];
      const [toOne, toOther] = [collect(one.client), collect(other.client)];
      const direct = one.server as Socket & { directReader: (() => void) | null };
      const failure = new Error('reader failed');
      direct.directReader = () => {
        one.server.write('sent');
        throw failure;
      };
      one.client.write('x');
      await once(one.client, 'close');
      other.server.write('own');
      await until(() => toOther.bytes().length > 0);
      expect([toOne.bytes().toString(), toOther.bytes().toString()]).to.deep.equal(['sent', 'own']);
      expect(faults.splice(0)).to.deep.equal([failure]);
      const third = await connected();
      const toThird = collect(third.client);
      (third.server as typeof direct).directReader = () => {
        third.server.write('last');
        third.server.destroy();
      };
      third.client.write('x');
      await once(third.client, 'close');
      expect(toThird.bytes().toString()).to.equal('last');
      other.client.destroy();
    });

    it('each side of a native TLS connection can be the first to close its sending direction', async () => {
      const one = await connected();
      one.client.end('last');
      const received = collect(one.server);
      await once(one.server, 'end');
      expect(received.bytes().toString()).to.equal('last');
      const toClient = collect(one.client);
      one.server.end('response after the end');
      await once(one.client, 'close');
      expect(toClient.bytes().toString()).to.equal('response after the end');
      const other = await connected();
      other.server.end();
      await once(other.client, 'end');
      await once(other.server, 'close');
    });

    it('TLS within TLS uses node:tls for the inner connection', async () => {
      bench.nests = true;
      const outer = connect({ port, host: '127.0.0.1', servername: 'a.test', rejectUnauthorized: false });
      await once(outer, 'secureConnect');
      const client = connect({ socket: outer, servername: 'a.test', rejectUnauthorized: false });
      const [line] = (await once(client, 'data')) as [Buffer];
      expect(line.toString()).to.equal('hello\n');
      expect(bench.sockets.map(hasLayer)).to.deep.equal([false]);
      client.destroy();
      outer.destroy();
    });

    it('policies that log secrets use node:tls, and the reason is logged', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-native-tls-'));
      const file = join(folder, 'secrets');
      await bench.load({ certificates: { memory: {} } }, [{ insecure_secrets_log: file }]);
      bench.ends = true;
      expect((await shakeHands(port, 'a.test')).text).to.equal('hello\n');
      expect(bench.sockets.map(hasLayer)).to.deep.equal([false]);
      expect(bench.logged.find(({ message }) => message.includes('node:tls'))?.fields).to.include({
        reason: 'the policy logs TLS secrets',
      });
      await until(() => existsSync(file));
      rmSync(folder, { recursive: true });
    });

    it('node:tls and the OpenSSL bindings resume the sessions of each other, with current and previous keys', async () => {
      const [old, current] = [randomBytes(48), randomBytes(48)] as [Buffer, Buffer];
      nativeTls.allowed = false;
      const other = new Bench(authority);
      other.loaded = bench.loaded;
      await other.load({ certificates: { memory: {} } });
      const otherPort = await other.listen();
      for (const each of [bench, other]) {
        each.ends = true;
        each.rotate?.([old]);
      }
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const)
        for (const [from, to] of [
          [port, otherPort],
          [otherPort, port],
          [port, port],
        ] as const) {
          bench.rotate?.([old]);
          other.rotate?.([old]);
          const first = await shakeHands(from, 'a.test', { maxVersion });
          expect(first).to.include({ error: null, resumed: false });
          expect(first.sessions.length).to.equal(1);
          const second = await shakeHands(to, 'a.test', { maxVersion, session: first.sessions[0] });
          expect(second, `${maxVersion} from ${from} to ${to}`).to.include({ error: null, resumed: true });
          bench.rotate?.([current, old]);
          other.rotate?.([current, old]);
          const third = await shakeHands(to, 'a.test', {
            maxVersion,
            session: second.sessions[0] ?? first.sessions[0],
          });
          expect(third).to.include({ error: null, resumed: true });
          bench.rotate?.([current]);
          other.rotate?.([current]);
          const fourth = await shakeHands(to, 'a.test', { maxVersion, session: first.sessions[0] });
          expect(fourth).to.include({ error: null, resumed: false });
        }
      await other.close();
    });

    it('writes to a closed native TLS connection fail', async () => {
      const { client, server } = await connected();
      server.on('error', () => undefined);
      server.destroy();
      const error = await new Promise<Error | null | undefined>((resolve) => server.write('late', resolve));
      expect(error).to.be.instanceOf(Error);
      await once(client, 'close');
    });

    it('a reset during a large write destroys the socket of a native TLS connection', async () => {
      const connection = connectPlain(port, '127.0.0.1');
      const client = connect({ socket: connection, servername: 'a.test', rejectUnauthorized: false });
      for (const each of [connection, client]) each.on('error', () => undefined);
      await once(client, 'data');
      connection.pause();
      const server = bench.sockets.at(-1) as Socket;
      server.write(randomBytes(20_000_000));
      await sleep(20);
      const closed = new Promise((resolve) => server.once('close', resolve));
      // A socket that closes with unread data sends a reset.
      client.destroy();
      connection.destroy();
      await closed;
    });

    it('invalid input and disconnects at each step affect no other native TLS connection', async function () {
      this.timeout(60_000);
      const { client, server } = await connected();
      const received = collect(client);
      const hello = await firstBytes();
      const closed: Promise<unknown>[] = [];
      for (let i = 0; i < 300; i++) {
        const socket = connectPlain(port, '127.0.0.1');
        socket.on('error', () => undefined);
        closed.push(new Promise((resolve) => socket.once('close', resolve)));
        const kind = i % 4;
        if (kind === 0) socket.write(hello.subarray(0, (i * 7) % (hello.length + 1)));
        else if (kind === 1) socket.write(Buffer.concat([hello, randomBytes(i)]));
        else if (kind === 2) socket.write(randomBytes(i + 1));
        else socket.write(hello.subarray(0, hello.length - 1));
        socket.resume();
        if (i % 3 === 0) socket.resetAndDestroy();
        else if (i % 3 === 1) socket.end();
        else setTimeout(() => socket.destroy(), i % 20);
        if (i % 50 === 0) {
          expect((await shakeHands(port, 'b.test')).error).not.to.equal(null);
          server.write(`${i} `);
        }
      }
      await until(() => received.bytes().toString() === '0 50 100 150 200 250 ');
      client.destroy();
      // The server closes every connection whose client has disconnected.
      await Promise.all(closed);
    });
  });

/** Returns the ClientHello of a real client. */
async function firstBytes(): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const wire = new Duplex({ read: () => undefined, write: (chunk: Buffer) => resolve(chunk) });
  const client = connect({ socket: wire, servername: 'a.test', rejectUnauthorized: false });
  client.on('error', () => undefined);
  const bytes = await promise;
  client.destroy();
  wire.destroy();
  return bytes;
}
