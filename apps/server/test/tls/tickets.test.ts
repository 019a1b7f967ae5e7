/** Tests the number of session tickets per handshake, including the OpenSSL configuration file in the guide. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { Sandbox, type RunSettings } from '../support/sandbox.ts';
import { config, says, TestServer, withApps } from '../support/server.ts';

const guide = new URL('../../../../docs/guide/tls.md', import.meta.url);

describe('TLS session tickets', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  function start(settings: RunSettings): Promise<TestServer> {
    const tls = { automation: { policies: [{ get_certificate: [{ via: 'selfsigned' }] }] } };
    const configuration = (admin: number, http: number): unknown =>
      withApps(config(admin, http, [says('hello')], { tls_connection_policies: [{}] }), { tls });
    return TestServer.runWith(sandbox, configuration, [], settings);
  }

  /** Returns the number of tickets that a client receives in a handshake and one request. */
  async function ticketsOf({ httpPort }: TestServer): Promise<number> {
    const socket = connect({ port: httpPort, host: '127.0.0.1', servername: 'a.test', rejectUnauthorized: false });
    let tickets = 0;
    let text = '';
    socket.on('session', () => tickets++).on('data', (piece: Buffer) => (text += piece.toString()));
    await once(socket, 'secureConnect');
    socket.write('GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n');
    await once(socket, 'end');
    socket.destroy();
    expect(text).to.match(/^HTTP\/1\.1 200 /);
    return tickets;
  }

  for (const native of ['off', 'on']) {
    it(`the server sends one session ticket per handshake, with SLUICE_NATIVE_TLS=${native}`, async () => {
      expect(await ticketsOf(await start({ env: { SLUICE_NATIVE_TLS: native } }))).to.equal(1);
    });

    it(`the OpenSSL configuration file in the guide disables session tickets, with SLUICE_NATIVE_TLS=${native}`, async () => {
      const [, file = ''] = /```ini\n([^`]*NumTickets = 0[^`]*)```/.exec(readFileSync(guide, 'utf8')) ?? [];
      expect(file).not.to.equal('');
      const env = { OPENSSL_CONF: await sandbox.write('openssl.cnf', file), SLUICE_NATIVE_TLS: native };
      expect(await ticketsOf(await start({ env }))).to.equal(0);
    });
  }
});
