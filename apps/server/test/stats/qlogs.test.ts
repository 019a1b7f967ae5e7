import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { freePort, throwAwayCertificate } from '@sluice/testing';
import { Sandbox, until } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';

interface Listed {
  readonly requests: readonly { readonly id: string; readonly state: string }[];
  readonly logs: readonly { readonly id: string; readonly client: string; readonly state: string }[];
}

describe('admin API route /qlogs', () => {
  let sandbox: Sandbox;
  let server: TestServer;

  before(async function () {
    if (nativeProblem() !== null) this.skip();
    sandbox = new Sandbox();
    const { cert, key } = await throwAwayCertificate(['localhost']);
    const port = await freePort();
    // The server also acts as the HTTP/3 client.
    const transport = {
      protocol: 'http',
      versions: ['3'],
      tls: { server_name: 'localhost', insecure_skip_verify: true },
    };
    server = await TestServer.runWith(sandbox, (admin, http) => ({
      admin: { listen: `127.0.0.1:${admin}` },
      apps: {
        tls: { certificates: { load_pem: [{ certificate: cert, key }] } },
        http: {
          servers: {
            proxy: {
              listen: [`127.0.0.1:${http}`],
              automatic_https: { disable: true },
              routes: [
                { handle: [{ handler: 'reverse_proxy', transport, upstreams: [{ dial: `127.0.0.1:${port}` }] }] },
              ],
            },
            upstream: {
              listen: [`127.0.0.1:${port}`],
              protocols: ['h1', 'h2', 'h3'],
              automatic_https: { disable: true },
              tls_connection_policies: [{}],
              routes: [{ handle: [{ handler: 'static_response', body: '{http.request.proto}' }] }],
            },
          },
        },
      },
    }));
  });

  after(async () => {
    await sandbox?.remove();
  });

  const list = async (): Promise<Listed> => JSON.parse((await server.admin('/qlogs')).text) as Listed;

  it('POST /qlogs logs the next HTTP/3 connection, and GET returns its events', async () => {
    const { status, text } = await server.admin('/qlogs', { method: 'POST', body: { client: '127.0.0.0/8' } });
    expect(status, text).to.equal(200);
    expect((await server.http('/')).text).to.equal('HTTP/3.0');
    await until(async () => (await list()).logs.length > 0, 'the log');
    const { requests, logs } = await list();
    expect(requests.map(({ state }) => state)).to.deep.equal(['over']);
    expect(logs.map(({ id, client, state }) => [id, client, state])).to.deep.equal([['q1-1', '127.0.0.1', 'open']]);
    const log = await server.admin('/qlogs?id=q1-1');
    expect(log.headers['content-type']).to.equal('application/qlog+json-seq');
    const names = log.text
      .split('\u001e')
      .slice(1)
      .map((record) => (JSON.parse(record) as { name?: string }).name);
    expect(names).to.include.members([
      'transport:packet_received',
      'transport:packet_sent',
      'transport:parameters_set',
    ]);
  });

  it('GET /qlogs reports a missing log, and DELETE drops all logs', async () => {
    expect((await server.admin('/qlogs?id=q7-7')).status).to.equal(404);
    expect((await server.admin('/qlogs', { method: 'POST', body: { count: 0 } })).status).to.equal(400);
    expect((await server.admin('/qlogs', { method: 'DELETE' })).text).to.equal('{"dropped":1}\n');
    expect(await list()).to.deep.equal({ requests: [], logs: [] });
  });
});
