/**
 * Tests that TLS behaves the same with each implementation. These are the OpenSSL bindings with and without libuv handles, `node:tls`, and
 * `node:tls` if Node's internals are missing.
 */
import { once } from 'node:events';
import { connect as connectPlain } from 'node:net';
import { expect } from 'chai';
import { directReads, hasLayer, polledSockets, type Json } from '@sluice/base';
import { nativeProblem, PolledSocket } from '@sluice/native';
import { nativeTls } from '../../src/policies/native-choice.ts';
import { OcspResponder, responseTo } from '../ocsp/responder.ts';
import { Bench, shakeHands, TestAuthority, until } from '../support.ts';

const memory = { certificates: { memory: {} } };

for (const kind of ['polled', 'native', 'direct', 'ordinary'] as const) {
  const isNative = kind === 'polled' || kind === 'native';
  describe(`TLS with ${kind} sockets`, () => {
    let authority: TestAuthority;
    let bench: Bench;
    let port: number;
    const isEnabled = nativeTls.allowed;
    const wasPolled = polledSockets.allowed;
    before(async function () {
      if (isNative && nativeProblem() !== null) this.skip();
      authority = await TestAuthority.make();
    });
    beforeEach(async () => {
      directReads.allowed = kind !== 'ordinary';
      nativeTls.allowed = isNative;
      polledSockets.allowed = kind === 'polled';
      bench = new Bench(authority);
      port = await bench.listen();
    });
    afterEach(async () => {
      directReads.allowed = true;
      nativeTls.allowed = isEnabled;
      polledSockets.allowed = wasPolled;
      await bench.close();
    });

    const load = async (policy: Json = {}, responder?: string): Promise<void> => {
      const { chain, key } = await authority.leaf(['a.test'], responder === undefined ? {} : { responder });
      bench.loaded = [{ chain: chain + authority.pem, key, tags: [], source: 'a.pem' }];
      await bench.load(memory, [policy]);
    };

    it(`the TLS server uses ${kind} sockets as configured`, async () => {
      await load();
      expect((await shakeHands(port, 'a.test')).text).to.equal('hello\n');
      expect(bench.sockets.map((socket) => 'directReader' in socket)).to.deep.equal([kind !== 'ordinary']);
      expect(bench.sockets.map(hasLayer)).to.deep.equal([isNative]);
      expect(bench.sockets.map((socket) => socket instanceof PolledSocket)).to.deep.equal([kind === 'polled']);
    });

    for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
      it(`the TLS server supports ${maxVersion}, ALPN and resumption`, async () => {
        await load();
        const first = await shakeHands(port, 'a.test', { maxVersion, ALPNProtocols: ['h2'] });
        expect(first).to.include({ error: null, text: 'hello\n', version: maxVersion, protocol: 'h2', resumed: false });
        const session = first.sessions.at(-1) as Buffer;
        const again = await shakeHands(port, 'a.test', { maxVersion, session });
        expect(again).to.include({ error: null, text: 'hello\n', resumed: true });
      });

      it(`the TLS server requests client certificates over ${maxVersion}`, async () => {
        const der = authority.pem.replaceAll(/-----[^-]+-----|\s/g, '');
        await load({ client_authentication: { trusted_ca_certs: [der] } });
        const known = await authority.leaf(['client.test']);
        const foreign = await (await TestAuthority.make()).leaf(['client.test']);
        const as = async ({ chain: cert, key }: { chain: string; key: string }): Promise<string> =>
          (await shakeHands(port, 'a.test', { maxVersion, cert, key })).text;
        expect(await as(known)).to.equal('hello\n');
        expect(await as(foreign)).to.equal('');
        expect((await shakeHands(port, 'a.test', { maxVersion })).text).to.equal('');
      });
    }

    it('the TLS server staples OCSP responses', async () => {
      const responder = await OcspResponder.start((request) => responseTo(request, authority));
      await load({}, responder.url);
      await until(() => bench.storage.values.size > 0);
      expect((await shakeHands(port, 'a.test', { requestOCSP: true })).staple).not.to.equal(null);
      await responder.close();
    });

    it('the TLS server rejects names without a certificate, and input that is not TLS', async () => {
      await load();
      expect((await shakeHands(port, 'b.test')).error).to.match(/ALERT_INTERNAL_ERROR/i);
      const socket = connectPlain(port, '127.0.0.1').setEncoding('latin1');
      socket.write('GET / HTTP/1.1\r\n\r\n');
      const [response] = (await once(socket, 'data')) as [string];
      expect(response).to.match(/^HTTP\/1\.0 400 /);
      socket.destroy();
    });
  });
}
