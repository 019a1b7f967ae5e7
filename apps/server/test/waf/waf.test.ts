/** Tests the web application firewall in worker threads over sockets. The tests are skipped if the engine cannot be built. */
import { execFile } from 'node:child_process';
import { createServer, request, type IncomingMessage, type Server } from 'node:http';
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
SecRule REQUEST_URI "@streq /chunked" "id:2,phase:1,deny,status:418,chain"
SecRule REQUEST_HEADERS:Transfer-Encoding "@streq chunked"
`;

/** State of an engine, as returned by `GET /waf`. */
interface EngineState {
  readonly state: string;
  readonly restarts: number;
  readonly passed: number;
  readonly blocked: number;
  readonly unavailable: number;
  readonly uninspected: number;
  readonly in_flight: number;
  readonly p50_ms: number;
  readonly blocked_by: readonly object[];
}

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
    const routes = [true, false].map((open) => ({
      ...(open && { match: [{ path: ['/open/*'] }] }),
      handle: [
        { handler: 'waf', engine, directives, fail_open: open },
        { handler: 'reverse_proxy', upstreams },
      ],
    }));
    server = await TestServer.runWith(sandbox, (admin, http) => config(admin, http, routes), ['--workers', '2']);
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

  const engineState = async (): Promise<EngineState> =>
    (JSON.parse((await server.admin('/waf')).text) as [EngineState])[0];

  it('all workers share one waf engine, and switch to the new engine after it restarts', async () => {
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

  it('the admin API reports the waf counters of all workers, and the rule that blocked requests', async () => {
    const { blocked, passed, blocked_by: rules, state, restarts, p50_ms: p50 } = await engineState();
    expect(rules).to.deep.equal([{ rule: 1, phase: 2, count: blocked }]);
    expect(blocked).to.be.greaterThanOrEqual(21);
    expect(passed).to.be.greaterThanOrEqual(1);
    expect({ state, restarts }).to.deep.equal({ state: 'running', restarts: 1 });
    expect(p50).to.be.greaterThan(0);
    const metrics = (await server.admin('/metrics')).text;
    expect(metrics).to.match(new RegExp(`^sluice_waf_requests_total\\{result="blocked"\\} ${blocked}$`, 'm'));
    expect(metrics).to.match(new RegExp(`^sluice_waf_blocked_requests_total\\{rule="1",phase="2"\\} ${blocked}$`, 'm'));
    expect(metrics).to.match(/^sluice_waf_engine_restarts_total 1$/m);
    expect(metrics).to.match(/^sluice_waf_inspections_in_flight 0$/m);
    expect(metrics).to.match(/^sluice_waf_inspection_duration_seconds_count [1-9]/m);
  });

  it('when the engine is killed, the waf responds to requests in flight with 503, or lets the requests through if fail_open is set', async () => {
    const [pid = ''] = await engines();
    // A process stopped with SIGSTOP accepts requests but does not respond.
    process.kill(Number(pid), 'SIGSTOP');
    const [rejected, passed] = [fetch(url('/')), fetch(url('/open/'))];
    while ((await engineState()).in_flight < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    process.kill(Number(pid), 'SIGKILL');
    expect((await rejected).status).to.equal(503);
    expect((await passed).status).to.equal(200);
    const { unavailable, uninspected } = await engineState();
    expect(unavailable).to.be.greaterThanOrEqual(1);
    expect(uninspected).to.be.greaterThanOrEqual(1);
    while ((await fetch(url('/?evil=yes'))).status !== 403) await new Promise((resolve) => setTimeout(resolve, 50));
  });

  it('the waf passes a large upload unchanged', async () => {
    const body = Buffer.alloc(3_000_000, 'abcdefg');
    const response = await fetch(url('/upload'), { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
    expect(Buffer.from(await response.arrayBuffer()).equals(body)).to.equal(true);
  });

  it('the waf rules receive the transfer encoding of a request', async () => {
    const statusOf = async (headers: Record<string, string>): Promise<unknown> => {
      const outgoing = request(url('/chunked'), { method: 'POST', agent: false, headers });
      outgoing.end('hello');
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await statusOf({ 'transfer-encoding': 'chunked' })).to.equal(418);
    expect(await statusOf({ 'content-length': '5' })).to.equal(200);
  });

  it('the waf forwards each event of an event stream without waiting for the next one', async () => {
    const outgoing = request(url('/events'), { agent: false }).end();
    const [response] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream];
    expect(String((await once(response, 'data'))[0])).to.equal('data: 1\n\n');
    sendNext();
    expect(String((await once(response, 'data'))[0])).to.equal('data: 2\n\n');
    outgoing.destroy();
  });
});
