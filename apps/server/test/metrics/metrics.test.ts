import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { config, send, TestServer, type Ask } from '../support/server.ts';

interface Conversation {
  readonly metrics: object;
  readonly routes: readonly unknown[];
  readonly requests: readonly Request[];
  readonly admin: readonly Request[];
}

interface Request {
  readonly path: string;
  readonly method?: string;
  readonly host?: string;
  readonly body?: string;
}

const beside = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), 'utf8');

/** Sends the same requests that Caddy received when its metrics were recorded. */
async function conversation(): Promise<Conversation> {
  return JSON.parse((await beside('conversation.json')).replace('LARGE', 'x'.repeat(5000))) as Conversation;
}

/** Returns the metric lines that do not depend on the time or the machine. */
function comparable(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => /^# (?:HELP|TYPE) (?:caddy|process)_|^caddy_(?:http|admin)/.test(line))
    .filter((line) => !/duration_seconds_(?:sum|bucket)/.test(line))
    .filter((line) => !line.includes('_bucket{') || line.includes('handler="headers",host="_other"'))
    .sort();
}

async function ask(port: number, { path, method = 'GET', host, body }: Request): Promise<void> {
  const headers: Record<string, string> = { Connection: 'close', ...(host === undefined ? {} : { Host: host }) };
  const options: Ask = { method, headers, ...(body === undefined ? {} : { text: body }) };
  await send(port, path, options).catch(() => undefined);
}

function valueOf(text: string, sample: string): number {
  return Number(
    text
      .split('\n')
      .find((line) => line.startsWith(`${sample} `))
      ?.slice(sample.length + 1),
  );
}

describe('server metrics', () => {
  let sandbox: Sandbox;
  let server: TestServer;
  beforeEach(() => {
    sandbox = new Sandbox();
  });
  afterEach(async () => {
    await server.stop();
    await sandbox.remove();
  });

  async function run(apps: (http: number) => object, args: readonly string[] = []): Promise<void> {
    const configuration = (admin: number, http: number): unknown => ({
      ...config(admin, http, []),
      apps: apps(http),
    });
    server = await TestServer.runWith(sandbox, configuration, args);
  }

  it("server metrics equal Caddy's metrics for the same requests", async () => {
    const { metrics, requests, admin, ...rest } = await conversation();
    await run((http) => ({
      http: { metrics, servers: { s: { listen: [`127.0.0.1:${http}`], automatic_https: { disable: true }, ...rest } } },
    }));
    for (const each of requests) await ask(server.httpPort, { host: 'b.test', ...each });
    for (const each of admin) await ask(server.adminPort, each);
    const { text, headers } = await server.admin('/metrics');
    expect(headers['content-type']).to.equal('text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
    // The only difference from Caddy: Sluice creates no time series for methods that clients invent.
    const expected = (await beside('reference.txt'))
      .replace('method="PROPFIND",path="/config/"', 'method="OTHER",path="/config/"')
      .split('\n')
      .filter(Boolean)
      .sort();
    expect(comparable(text).join('\n')).to.equal(expected.join('\n'));
    for (const name of ['nodejs_heap_size_used_bytes{thread="0"}', 'nodejs_eventloop_active_seconds_total{thread="0"}'])
      expect(valueOf(text, name)).to.be.above(0);
  });

  it('server metrics count every request of all workers exactly once', async function () {
    this.timeout(30_000);
    await run(
      (http) => ({
        http: {
          metrics: {},
          servers: {
            s: {
              listen: [`127.0.0.1:${http}`],
              automatic_https: { disable: true },
              routes: [{ handle: [{ handler: 'static_response', body: 'x' }] }],
            },
          },
        },
      }),
      ['--workers', '3'],
    );
    const count = async (): Promise<number> =>
      valueOf((await server.admin('/metrics')).text, 'caddy_http_requests_total{handler="static_response",server="s"}');
    await Promise.all(Array.from({ length: 300 }, () => server.http('/')));
    const [first, second] = await Promise.all([count(), count()]);
    expect([first, second]).to.deep.equal([300, 300]);
    const { text } = await server.admin('/metrics', {
      headers: { Accept: 'application/openmetrics-text;version=1.0.0' },
    });
    expect(text)
      .to.match(/# EOF\n$/)
      .and.include('# TYPE caddy_http_requests counter');
    expect(text.match(/^nodejs_heap_size_used_bytes\{thread="\d"\}/gm)).to.have.length(4);
  });

  it('server metrics report whether the last configuration was accepted', async () => {
    await run(() => ({}));
    const state = async (): Promise<number> =>
      valueOf((await server.admin('/metrics')).text, 'caddy_config_last_reload_successful');
    expect(await state()).to.equal(1);
    await server.admin('/config/apps/nope', { method: 'PUT', body: {} });
    expect(await state()).to.equal(0);
    await server.admin('/config/apps/http', { method: 'PUT', body: {} });
    expect(await state()).to.equal(1);
  });
});
