/** Runs the examples of docs/guide/modules.md in a server with several threads. The threads must share state. */
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { compile } from '../support/compile.ts';
import { Sandbox } from '../support/sandbox.ts';
import { config, TestServer, withApps } from '../support/server.ts';

const example = fileURLToPath(new URL('../../../../examples/guide', import.meta.url));

describe('examples/guide with two workers', function () {
  this.timeout(90_000);
  let sandbox: Sandbox;
  let server: TestServer;

  before(async () => {
    await compile('examples/guide');
    sandbox = new Sandbox();
    const routes = [{ handle: [{ handler: 'maintenance' }, { handler: 'count_visits' }] }];
    const configuration = (admin: number, http: number): unknown =>
      withApps(config(admin, http, routes), { maintenance: {} });
    server = await TestServer.runWith(sandbox, configuration, ['--workers', '2', '--module', example]);
  });

  after(() => sandbox.remove());

  it('the guide example counts visits across all threads', async () => {
    const texts = new Set<string>();
    for (let i = 0; i < 20; i++) texts.add((await server.http()).text);
    expect(texts).to.have.property('size', 20);
    expect(texts).to.include('You are visitor 20.\n');
  });

  it('a value set through the admin API reaches all traffic threads', async () => {
    const set = (on: boolean) => server.admin('/maintenance', { method: 'PUT', body: { on } });
    expect(await set(true)).to.include({ status: 200 });
    for (let i = 0; i < 8; i++) expect(await server.http()).to.include({ status: 503 });
    await set(false);
    for (let i = 0; i < 8; i++) expect(await server.http()).to.include({ status: 200 });
  });

  it('the guide example command switches maintenance mode on and off', async () => {
    const command = ['--module', example, 'maintenance', '--address', `127.0.0.1:${server.adminPort}`];
    expect(await sandbox.run(command)).to.deep.equal({ code: 0, stdout: '{"on":true}\n', stderr: '' });
    expect(await server.http()).to.include({ status: 503 });
    expect(await sandbox.run([...command, '--off'])).to.include({ code: 0, stdout: '{"on":false}\n' });
    expect(await server.stop()).to.include({ code: 0 });
  });
});
