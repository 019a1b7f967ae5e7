/** Checks that apply to every package format of the server. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { freePort } from '@sluice/testing/machine';

/** Creates an empty directory. The caller must remove it. */
export function temporaryFolder(): { readonly folder: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-packaging-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Returns the environment for a command with the given home directory. Excludes variables set by the tests. */
export function environmentOf(home: string): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _, SLUICE_TEST_RESULTS: __, NODE_V8_COVERAGE: ___, ...environment } = process.env;
  return { ...environment, HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') };
}

interface Response {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request. If there is a body, the request is a PATCH with JSON. */
export function ask(port: number, path: string, body?: unknown, headers: object = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path,
        agent: false,
        method: body === undefined ? 'GET' : 'PATCH',
        headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

interface Serving {
  readonly child: ChildProcess;
  readonly ended: Promise<number | null>;
  stop(): Promise<number | null>;
}

export interface Running extends Serving {
  readonly port: number;
  readonly admin: number;
}

/** Content to serve, and the path under which the server accesses its home directory. */
interface Served {
  readonly routes?: readonly object[];
  /** Root directory of the command's process. */
  readonly root?: string;
}

/** Runs a command with a configuration and waits until the server is ready. */
export async function run(
  command: readonly string[],
  home: string,
  more: readonly string[] = [],
  { routes = routesOf(home), root = '' }: Served = {},
): Promise<Running> {
  const [port, admin] = [await freePort(), await freePort()];
  const file = join(home, 'config.json');
  writeFileSync(join(home, 'page.txt'), 'a page of text '.repeat(100));
  writeFileSync(file, JSON.stringify(configuration(port, admin, home.slice(root.length), routes)));
  const environment = environmentOf(root === '' ? home : '/data');
  const serving = await serve([...command, 'run', '--config', file.slice(root.length), ...more], environment);
  return { ...serving, port, admin };
}

/** Starts a command and waits until the server is ready. */
export async function serve(command: readonly string[], env: NodeJS.ProcessEnv): Promise<Serving> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  for (const end = performance.now() + 30_000; !said.includes('"msg":"serving"'); await sleep(20)) {
    if (child.exitCode === null && performance.now() < end) continue;
    child.kill('SIGKILL');
    throw new Error(`${command.join(' ')} did not start: ${said}`);
  }
  return { child, ended, stop: () => (child.kill('SIGTERM'), ended) };
}

/**
 * Returns routes that use many kinds of components: lazily loaded modules, required libraries, the native addon, templates, the proxy, and
 * internal certificates.
 */
function routesOf(home: string): object[] {
  const hash = '$2a$05$8Xmt0JIh7FjjWgZvf7IBhubI.s2jyq6kKyIRyruhtXpdtJVDW4/yG';
  const respond = (body: string): object => ({ handler: 'static_response', body });
  const basic = { accounts: [{ username: 'me', password: hash }], hash: { algorithm: 'bcrypt' } };
  return [
    { match: [{ path: ['/hello'] }], handle: [respond('hello')] },
    {
      match: [{ path: ['/page.txt'] }],
      handle: [
        { handler: 'encode', encodings: { gzip: {}, br: {} } },
        { handler: 'file_server', root: home },
      ],
    },
    { match: [{ expression: "path('/cel/*')" }], handle: [respond('by an expression')] },
    { match: [{ path_regexp: { pattern: '^/r/(?P<n>[0-9]+)$' } }], handle: [respond('{http.regexp.n}')] },
    {
      match: [{ path: ['/secret'] }],
      handle: [{ handler: 'authentication', providers: { http_basic: basic } }, respond('in')],
    },
    {
      match: [{ path: ['/template'] }],
      handle: [{ handler: 'templates', mime_types: ['text/plain'] }, respond('{{ add 1 2 }} {{ markdown "*x*" }}')],
    },
    {
      match: [{ path: ['/proxy'] }],
      handle: [
        { handler: 'rewrite', uri: '/hello' },
        { handler: 'reverse_proxy', upstreams: [{ dial: '{http.request.hostport}' }] },
      ],
    },
  ];
}

/** Routes with a single fixed response. */
export const plainRoutes: readonly object[] = [{ handle: [{ handler: 'static_response', body: 'hello' }] }];

function configuration(port: number, admin: number, home: string, routes: readonly object[]): object {
  return {
    admin: { listen: `127.0.0.1:${admin}` },
    storage: { module: 'file_system', root: join(home, 'storage') },
    apps: {
      http: { servers: { s: { listen: [`127.0.0.1:${port}`], automatic_https: { disable: true }, routes } } },
      ...(routes === plainRoutes ? {} : { pki: { certificate_authorities: { local: { install_trust: false } } } }),
    },
  };
}

/** Sends requests to every route of a server that {@link run} has started, and changes its configuration. */
export async function smoke({ port, admin }: Running): Promise<void> {
  const get = async (path: string, headers: object = {}): Promise<[number, string]> => {
    const { status, text } = await ask(port, path, undefined, headers);
    return [status, text];
  };
  expect(await get('/hello')).to.deep.equal([200, 'hello']);
  const page = await ask(port, '/page.txt', undefined, { 'Accept-Encoding': 'gzip' });
  expect(page.headers).to.include({ 'content-encoding': 'gzip' });
  expect((await ask(port, '/page.txt')).text).to.have.length(1500);
  expect(await get('/cel/x')).to.deep.equal([200, 'by an expression']);
  expect(await get('/r/42')).to.deep.equal([200, '42']);
  expect((await get('/secret'))[0]).to.equal(401);
  const authorization = `Basic ${Buffer.from('me:open sesame').toString('base64')}`;
  expect(await get('/secret', { Authorization: authorization })).to.deep.equal([200, 'in']);
  expect((await get('/template'))[1]).to.contain('3 <p><em>x</em></p>');
  expect(await get('/proxy')).to.deep.equal([200, 'hello']);

  const body = '/config/apps/http/servers/s/routes/0/handle/0/body';
  expect((await ask(admin, body, 'changed')).status).to.equal(200);
  expect(await get('/hello')).to.deep.equal([200, 'changed']);
  const wrong = await ask(admin, '/config/apps/http/servers/s/routes/0/handle/0', {
    handler: 'static_response',
    boody: 1,
  });
  expect(wrong.text).to.contain('unknown key \\"boody\\" of http.handlers.static_response; it has status_code');
  const unknown = await ask(admin, '/config/apps/http/servers/s/routes/0/handle/0', { handler: 'nonesuch' });
  expect(unknown.text).to.contain('unknown module: http.handlers.nonesuch');
  expect(await get('/hello')).to.deep.equal([200, 'changed']);
  expect((await ask(admin, '/schema')).text).to.contain('http.handlers.static_response');
  expect((await ask(admin, '/pki/ca/local')).text).to.contain('BEGIN CERTIFICATE');
  expect((await ask(admin, '/metrics')).text).to.contain('caddy_admin_http_requests_total');
}
