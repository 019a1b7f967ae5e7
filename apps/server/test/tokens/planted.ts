/** A server with secrets in files and environment variables. Clients use tokens that must not reveal the secrets. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createToken, type TokenOptions } from '@sluice/admin-api';
import type { Json } from '@sluice/base';
import { freePort } from '@sluice/testing';
import { startControl, WorkerReserve, type Control } from '../../src/index.ts';

export const variable = 'SLUICE_PLANTED_SECRET';

export interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly json?: unknown;
}

export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export interface Planted {
  readonly control: Control;
  /** Directory that contains the secret files. */
  readonly folder: string;
  /** Files by purpose. */
  readonly files: Readonly<Record<'text' | 'caddyfile' | 'nginx' | 'passwords' | 'page', string>>;
  ask(token: string, path: string, sent?: Sent): Promise<Got>;
  /** Returns the admin address of the server and the secret of the given token. */
  connection(token: string): { readonly address: string; readonly bearer: string };
  /** Sends requests that use the secrets without revealing them. Some clients send secrets themselves. */
  visit(): Promise<void>;
  /** Number of requests that reached the upstream with the secret from the environment variable. */
  readonly reached: number;
  /** Returns the first secret that a text contains, either plain or in a common encoding. Returns `null` if there is none. */
  leakIn(text: string): string | null;
  close(): Promise<void>;
}

/** Starts the server. `tokens` maps token names to permissions. `admin` is merged into the admin section. */
export async function startPlanted(
  tokens: Readonly<Record<string, Pick<TokenOptions, 'permissions'>>>,
  admin: Readonly<Record<string, Json>> = {},
): Promise<Planted> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-planted-'));
  const word = (): string => createToken().token.slice(7, 31).replaceAll(/[-_]/g, 'x');
  const secrets = {
    variable: word(),
    text: word(),
    caddyfile: word(),
    nginx: word(),
    passwords: word(),
    page: word(),
    client: word(),
  };
  const write = (name: string, content: string): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const files = {
    text: write('secret.txt', secrets.text),
    caddyfile: write('secret.caddyfile', `respond /${secrets.caddyfile} ${secrets.caddyfile}\n`),
    nginx: write('secret.nginx', `add_header X ${secrets.nginx};\n`),
    passwords: write('htpasswd', `${secrets.passwords}:$2y$05$${secrets.passwords}\n`),
    page: write('page.html', `${secrets.page} {{env "${variable}"}}\n`),
  };
  process.env[variable] = secrets.variable;
  const bearers = new Map<string, string>();
  const entries = Object.entries(tokens).map(([name, entry]) => {
    const { token, hash } = createToken();
    bearers.set(name, token);
    return { name, hash, ...entry };
  });
  const control = await startControl({
    workers: 0,
    reserve: new WorkerReserve(0),
    modules: [],
    store: null,
    sink: { enabled: () => false, write: () => undefined },
    logLevel: 'debug',
    adminAddress: '127.0.0.1:0',
    onStop: () => {
      throw new Error('the server was stopped by a request without a right');
    },
  });
  let reached = 0;
  const upstream = createServer((incoming, response) => {
    if (incoming.headers['key'] === `Bearer ${secrets.variable}`) reached++;
    response.writeHead(200, { 'Set-Cookie': `session=${secrets.client}` }).end('up');
  });
  await new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', done));
  const port = await freePort();
  const site = { port, up: (upstream.address() as AddressInfo).port };
  const document = {
    admin: { ...admin, listen: '127.0.0.1:0', tokens: entries as unknown as Json },
    logging: { logs: { default: { level: 'DEBUG', writer: { output: 'discard' } } } },
    apps: { http: { servers: { s: server(folder, files.text, site) } } },
  };
  await control.reconciler.load(document as unknown as Json);
  const encoded = Object.values(secrets).flatMap((each) => [each, Buffer.from(each).toString('hex')]);
  return {
    control,
    folder,
    files,
    ask: (token, path, sent) => ask(control.adminAddress() ?? '', bearers.get(token) ?? '', path, sent),
    connection: (token) => ({ address: control.adminAddress() ?? '', bearer: bearers.get(token) ?? '' }),
    get reached() {
      return reached;
    },
    async visit() {
      const headers = {
        Authorization: `Bearer ${secrets.client}`,
        Cookie: `session=${secrets.client}`,
        'Proxy-Authorization': `Basic ${secrets.client}`,
        Key: secrets.variable.slice(0, 3),
      };
      for (const path of ['/mine', '/env', '/up', '/pages/page.html', '/pages/secret.txt', '/missing', '/else'])
        await visited(`http://127.0.0.1:${port}${path}`, headers);
    },
    leakIn: (text) =>
      encoded.find((each) => text.includes(each)) ??
      Object.values(secrets).find((each) => text.includes(Buffer.from(each).toString('base64').slice(0, 30))) ??
      null,
    async close() {
      Reflect.deleteProperty(process.env, variable);
      await control.stop();
      upstream.closeAllConnections();
      upstream.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function server(folder: string, text: string, { port, up }: { readonly port: number; readonly up: number }): object {
  const fixed = { handler: 'static_response', body: 'mine' };
  return {
    listen: [`127.0.0.1:${port}`],
    automatic_https: { disable: true },
    logs: {},
    routes: [
      { match: [{ path: ['/mine'] }], handle: [{ '@id': 'mine', ...fixed }] },
      { match: [{ path: ['/env'] }], handle: [{ ...fixed, body: `{env.${variable}}` }] },
      { match: [{ path: ['/file'] }], handle: [{ ...fixed, headers: { X: [`{file.${text}}`] } }] },
      { match: [{ vars: { '{http.request.header.key}': [`{env.${variable}}`] } }], handle: [fixed] },
      { match: [{ expression: `{env.${variable}}.startsWith("x")` }], handle: [fixed] },
      {
        match: [{ path: ['/up'] }],
        handle: [
          {
            handler: 'reverse_proxy',
            headers: { request: { set: { Key: [`Bearer {env.${variable}}`] } } },
            upstreams: [{ dial: `127.0.0.1:${up}` }],
          },
        ],
      },
      {
        match: [{ path: ['/pages/*'] }],
        handle: [{ handler: 'rewrite', strip_path_prefix: '/pages' }, ...pages(folder)],
      },
      {
        handle: [
          { handler: 'vars', seen: `{file.${text}}` },
          { ...fixed, body: '{http.vars.seen}' },
        ],
      },
    ],
  };
}

function pages(folder: string): object[] {
  return [
    { handler: 'templates', file_root: folder },
    { handler: 'file_server', root: folder },
  ];
}

/** Sends a request and reads the whole response. */
function visited(url: string, headers: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { agent: false, headers }, (response) => {
      response.resume().on('end', resolve).on('error', reject);
    });
    outgoing.on('error', reject).end();
  });
}

/** Time for which a stream is read, in milliseconds. */
const moment = 20;

/** Routes that stream. */
const isStream = /^\/(?:traces|events|fleet\/events|stats\/stream|logs\/stream|debug\/pprof)/;

/** Response timeout in milliseconds. */
const slow = 30_000;

function ask(
  address: string,
  token: string,
  path: string,
  { method = 'GET', headers = {}, body, json }: Sent = {},
): Promise<Got> {
  const sent = json === undefined ? body : JSON.stringify(json);
  const [host = '', port = ''] = address.split(/:(?=\d+$)/);
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host,
      port,
      path,
      method,
      agent: false,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(sent === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(sent)) }),
        ...headers,
      },
    });
    outgoing.on('response', (response) => {
      const chunks: Buffer[] = [];
      const done = (): void => {
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        });
        outgoing.destroy();
      };
      response.on('data', (chunk: Buffer) => void chunks.push(chunk));
      response.on('end', done).on('error', done);
      if (/event-stream|ndjson/.test(response.headers['content-type'] ?? '')) setTimeout(done, moment);
    });
    // The server may not even send headers for an idle stream.
    if (method === 'GET' && isStream.test(path))
      setTimeout(() => (resolve({ status: 0, headers: {}, text: '' }), outgoing.destroy()), 5 * moment);
    outgoing.setTimeout(slow, () => outgoing.destroy(new Error(`no response within ${slow / 1000} s`)));
    outgoing.on('error', reject);
    outgoing.end(sent);
  });
}
