/** The firewall in worker threads, over sockets. Skipped if the engine cannot be built. */
import { execFile } from 'node:child_process';
import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { wafEngine } from '@sluice/testing';
import { config, TestServer } from '../support/server.ts';
import { Sandbox } from '../support/sandbox.ts';

const run = promisify(execFile);
const engine = wafEngine();

const directives = `
SecRuleEngine On
SecRequestBodyAccess On
SecResponseBodyAccess On
SecResponseBodyMimeType text/event-stream text/plain
SecRule ARGS:evil "@streq yes" "id:1,phase:2,deny,status:403"
`;

describe('http.handlers.waf in worker threads', function () {
  this.timeout(30_000);
  let sandbox: Sandbox;
  let server: TestServer;
  let origin: Server;
  let sendNext = (): unknown => undefined;

  before(async function () {
    if (engine === null) this.skip();
    sandbox = new Sandbox();
    origin = createServer((incoming, response) => {
      if (incoming.url !== '/events') {
        response.writeHead(200, { 'content-type': 'text/plain' });
        incoming.pipe(response);
        return;
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
      sendNext = () => response.write('data: 2\n\n');
    });
    await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
    const upstreams = [{ dial: `127.0.0.1:${(origin.address() as { port: number }).port}` }];
    const handle = [
      { handler: 'waf', engine, directives },
      { handler: 'reverse_proxy', upstreams },
    ];
    server = await TestServer.runWith(sandbox, (admin, http) => config(admin, http, [{ handle }]), ['--workers', '2']);
  });

  after(async () => {
    await server?.stop();
    origin?.closeAllConnections();
    origin?.close();
    await sandbox?.remove();
  });

  const url = (path: string): string => `http://127.0.0.1:${server.httpPort}${path}`;
  const engines = async (): Promise<string[]> =>
    (await run('pgrep', ['-P', String(server.started.child.pid), 'waf-engine'])).stdout.trim().split('\n');

  it('all workers use one engine, and use the new engine after a restart', async () => {
    const statuses = async (): Promise<Set<number>> =>
      new Set(await Promise.all(Array.from({ length: 20 }, async () => (await fetch(url('/?evil=yes'))).status)));
    expect(await statuses()).to.deep.equal(new Set([403]));
    const [pid = '', ...others] = await engines();
    expect(others).to.deep.equal([]);
    process.kill(Number(pid), 'SIGKILL');
    await server.logged('web application firewall engine exited, restarting');
    while ((await fetch(url('/?evil=yes'))).status !== 403) await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await fetch(url('/'))).status).to.equal(200);
  });

  it('a large upload arrives unchanged', async () => {
    const body = Buffer.alloc(3_000_000, 'abcdefg');
    const response = await fetch(url('/upload'), { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).to.equal(true);
  });

  it('an event stream: each event arrives before the next one is sent', async () => {
    const outgoing = request(url('/events'), { agent: false }).end();
    const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    expect(String((await once(response, 'data'))[0])).to.equal('data: 1\n\n');
    sendNext();
    expect(String((await once(response, 'data'))[0])).to.equal('data: 2\n\n');
    outgoing.destroy();
  });
});
