/** TLS listeners of which no one has said a name, and that no authority gives a certificate to. */
import { once } from 'node:events';
import { connect } from 'node:tls';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, says, TestServer, withApps } from '../support/server.ts';

describe('a TLS listener without a name', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  const start = (tls: object): Promise<TestServer> =>
    TestServer.runWith(sandbox, (admin, http) =>
      withApps(config(admin, http, [says('hello')], { tls_connection_policies: [{}] }), { tls }),
    );

  /** The names of the certificate that a client gets, or the code of the error. */
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

  it('refuses handshakes with an internal error, as the reference does', async () => {
    const server = await start({});
    for (const name of ['', 'a.test']) expect(await shown(server, name)).to.equal('ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR');
  });

  it('shows self-signed certificates where they are asked for', async () => {
    const server = await start({ automation: { policies: [{ get_certificate: [{ via: 'selfsigned' }] }] } });
    expect(await shown(server)).to.equal('IP Address:127.0.0.1');
    expect(await shown(server, 'a.test')).to.equal('DNS:a.test');
  });
});
