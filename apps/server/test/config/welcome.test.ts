import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { TestServer } from '../support/server.ts';
import { freePort } from '@sluice/testing';
import { Sandbox } from '../support/sandbox.ts';

const execute = promisify(execFile);
const configuration = new URL('../../config/welcome.json', import.meta.url);
const page = new URL('../../config/welcome/index.html', import.meta.url);

describe('welcome configuration', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  /** Replaces ports with free ports in configurations and commands. */
  let ports: (text: string) => string;

  before(async () => {
    sandbox = new Sandbox();
    const [admin, http] = [await freePort(), await freePort()];
    ports = (text) =>
      text.replaceAll(/<span class="admin">[^<]*<\/span>/g, `127.0.0.1:${admin}`).replaceAll('8080', String(http));
    const file = await sandbox.write('welcome.json', ports(await readFile(configuration, 'utf8')));
    // The configuration reads the admin address from an environment variable.
    const starter = sandbox.with({ env: { SERVER_ADMIN: `127.0.0.1:${admin}` } });
    server = await TestServer.start(starter, ['--config', file], admin, http);
  });
  after(() => sandbox.remove());

  it('the welcome page does not load external resources', async () => {
    const { status, headers, text } = await server.http();
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).to.equal(await readFile(page, 'utf8'));
    expect(text).not.to.match(/(?:src|href)="(?:https?:)?\/\//);
  });

  for (const name of ['localhost', '127.0.0.1', '[::1]']) {
    it(`the welcome page reads the configuration when opened as ${name}, and shows the admin address`, async () => {
      const headers = { Host: `${name}:${server.httpPort}`, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'same-origin' };
      const response = await server.http('/admin/config/', { headers });
      expect(response.status).to.equal(200);
      expect(response.headers['sluice-admin']).to.equal(`127.0.0.1:${server.adminPort}`);
      expect(JSON.parse(response.text)).to.have.nested.property('apps.http.servers.welcome');
    });
  }

  it('the welcome page sends changes through a proxy to the admin API', async () => {
    const origin = `http://localhost:${server.httpPort}`;
    const headers = { Host: `localhost:${server.httpPort}`, Origin: origin, 'Sec-Fetch-Site': 'same-origin' };
    const route = { '@id': 'page', match: [{ path: ['/page'] }], handle: [{ handler: 'static_response', body: 'a' }] };
    const put = { method: 'PUT', headers, body: { ...route, terminal: true } };
    const path = '/admin/config/apps/http/servers/welcome/routes/0';
    expect((await server.http('/admin/id/page', { method: 'PATCH', headers, body: 'b' })).status).to.equal(404);
    expect((await server.http(path, put)).status).to.equal(200);
    const patch = { method: 'PATCH', headers, body: 'b' };
    expect((await server.http('/admin/id/page/handle/0/body', patch)).status).to.equal(200);
    expect((await server.http('/page')).text).to.equal('b');
    expect((await server.http('/admin/id/page', { method: 'DELETE', headers })).status).to.equal(200);
  });

  it('the welcome server does not forward requests from other pages or host names to the admin API', async () => {
    const own = `localhost:${server.httpPort}`;
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { Host: own, Origin: 'http://elsewhere.example', 'Sec-Fetch-Site': site };
      expect((await server.http('/admin/config/', { headers })).status).to.equal(404);
    }
    expect((await server.http('/admin/config/', { headers: { Host: own } })).status).to.equal(404);
    const rebound = { Host: 'elsewhere.example', 'Sec-Fetch-Site': 'same-origin' };
    expect((await server.http('/admin/config/', { headers: rebound })).status).to.equal(404);
  });

  it('other web pages cannot use the admin API', async () => {
    const headers = {
      Host: `localhost:${server.adminPort}`,
      Origin: 'http://elsewhere.example',
      'Sec-Fetch-Mode': 'cors',
    };
    expect((await server.admin('/config/', { headers })).status).to.equal(403);
  });

  it('the three commands on the welcome page work', async () => {
    const text = await readFile(page, 'utf8');
    const commands = [...text.matchAll(/<pre>\s*(curl[^]*?)<\/pre/g)].map(([, command]) =>
      ports((command ?? '').trim()),
    );
    expect(commands).to.have.length(3);
    const run = async (command: string): Promise<string> =>
      (await execute('bash', ['-c', `curl() { command curl --silent --show-error --fail "$@"; }\n${command}`])).stdout;
    expect(await run(commands[0]!)).to.equal(`[":${server.httpPort}"]\n`);
    await run(commands[1]!);
    expect((await server.http('/hello')).text).to.equal('Hello, 127.0.0.1!\n');
    expect((await server.http('/')).status).to.equal(200);
    await run(commands[2]!);
    expect((await server.http('/hello')).text).to.equal('It changed while it ran.\n');
  });
});
