/** Tests TLS listeners without a configured name. No CA issues a certificate for them. */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer, withApps } from '../support/server.ts';

describe('TLS listeners without a name', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  const start = (tls: object): Promise<TestServer> =>
    TestServer.runWith(sandbox, (admin, http) =>
      withApps(config(admin, http, [says('hello')], { tls_connection_policies: [{}] }), { tls }),
    );

  /** Returns the subject alternative names of the server certificate, or the error code. */
  async function shown({ httpPort }: TestServer, servername = ''): Promise<string | undefined> {
    const socket = connect({ port: httpPort, host: '127.0.0.1', servername, rejectUnauthorized: false });
    try {
      await once(socket, 'secureConnect');
      return socket.getPeerCertificate().subjectaltname;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code;
    } finally {
      socket.destroy();
    }
  }

  it('a TLS listener without names rejects handshakes with an internal_error alert, as in Caddy', async () => {
    const server = await start({});
    for (const name of ['', 'a.test']) expect(await shown(server, name)).to.equal('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR');
  });

  it('a TLS listener without names presents self-signed certificates if configured', async () => {
    const server = await start({ automation: { policies: [{ get_certificate: [{ via: 'selfsigned' }] }] } });
    expect(await shown(server)).to.equal('IP Address:127.0.0.1');
    expect(await shown(server, 'a.test')).to.equal('DNS:a.test');
  });
});
