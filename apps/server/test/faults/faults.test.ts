import { Agent } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { freePort } from '@sluice/testing';
import { expect } from 'chai';
import { says, send, TestServer } from '../support/server.ts';
import { Sandbox } from '../support/sandbox.ts';

const faults = fileURLToPath(new URL('../fixtures/faults', import.meta.url));

interface Case {
  readonly handle: readonly object[];
  readonly match?: object;
  /** Accepted response statuses. 0 means that the connection was closed. Default: 500. */
  readonly statuses?: readonly number[];
  readonly method?: string;
  /** Request body. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const fault = (at: string): object => ({ handler: 'fault', at });
const proxy = (more: object): object => ({
  handler: 'reverse_proxy',
  upstreams: [{ dial: '127.0.0.1:1' }],
  ...more,
});
const sends = (body: string): object => ({ handler: 'static_response', body });
const text = 'x'.repeat(5000);
const post = { method: 'POST', text };

/** Returns test cases by path. The test sends repeated requests to each path. */
function cases(upstream: number): Record<string, Case> {
  const up = { upstreams: [{ dial: `127.0.0.1:${upstream}` }] };
  const handler = (at: string, more: Partial<Case> = {}): Case => ({ handle: [fault(at), sends('passed')], ...more });
  const both = { statuses: [0, 500] };
  // An exception that escapes all guards must affect at most its own request.
  const escaped = { statuses: [200] };
  const filters = Object.fromEntries(
    ['writeHead', 'write', 'end', 'flush', 'drained', 'setTrailers'].map((method) => [
      `filter-${method}`,
      { handle: [fault(`filter ${method}`), proxy({ ...up, flush_interval: -1 })], statuses: [0, 200, 500] },
    ]),
  );
  return {
    handle: handler('handle'),
    reject: handler('reject'),
    later: handler('later'),
    nothing: handler('nothing'),
    finish: handler('finish', { statuses: [200] }),
    placeholder: { handle: [fault('placeholder'), { handler: 'static_response', body: '{fault}' }] },
    'body-data': handler('body data', post),
    'body-end': handler('body end', post),
    'body-error': handler('body error', { ...post, ...both }),
    drained: handler('drained', { statuses: [0, 200, 500] }),
    'after-head': handler('after the head', { statuses: [0, 200, 500] }),
    'after-end': handler('after the end', { statuses: [0, 200] }),
    immediate: handler('immediate', escaped),
    timer: handler('timer', escaped),
    tick: handler('tick', escaped),
    microtask: handler('microtask', escaped),
    promise: handler('promise', escaped),
    ...filters,
    match: { match: { fault: { at: 'throw' } }, handle: [sends('never')] },
    'match-reject': { match: { fault: { at: 'reject' } }, handle: [sends('never')] },
    'match-not': { match: { not: [{ fault: { at: 'throw' } }] }, handle: [sends('never')] },
    'match-expression': {
      match: { expression: 'int({http.request.header.x}) > 1' },
      handle: [sends('never')],
      statuses: [200, 500],
    },
    authenticate: { handle: [{ handler: 'authentication', providers: { fault: {} } }], statuses: [401, 500] },
    'authenticate-reject': {
      handle: [{ handler: 'authentication', providers: { fault: { at: 'reject' } } }],
      statuses: [401, 500],
    },
    encode: {
      handle: [{ handler: 'encode', encodings: { fault: {} }, minimum_length: 1 }, sends(text)],
      statuses: [0, 500],
    },
    'encode-reject': {
      handle: [{ handler: 'encode', encodings: { fault: { at: 'reject' } }, minimum_length: 1 }, sends(text)],
      statuses: [0, 500],
    },
    'encode-stream': {
      handle: [{ handler: 'encode', encodings: { fault: { at: 'stream' } }, minimum_length: 1 }, proxy(up)],
      statuses: [0, 200, 500],
    },
    'encode-transform': {
      handle: [{ handler: 'encode', encodings: { fault: { at: 'transform' } }, minimum_length: 1 }, proxy(up)],
      statuses: [0, 200, 500],
    },
    select: { handle: [proxy({ load_balancing: { selection_policy: { policy: 'fault' } } })] },
    upstreams: { handle: [proxy({ dynamic_upstreams: { source: 'fault' }, upstreams: [] })], statuses: [500, 503] },
    'upstreams-reject': {
      handle: [proxy({ dynamic_upstreams: { source: 'fault', at: 'reject' }, upstreams: [] })],
      statuses: [500, 503],
    },
    'breaker-ok': { handle: [proxy({ ...up, circuit_breaker: { type: 'fault', at: 'ok' } })] },
    'breaker-record': { handle: [proxy({ ...up, circuit_breaker: { type: 'fault', at: 'record' } })] },
    'transport-send': { handle: [proxy({ transport: { protocol: 'fault', at: 'send' } })] },
    'transport-error': { handle: [proxy({ transport: { protocol: 'fault', at: 'error' } })] },
    'transport-head': { handle: [proxy({ transport: { protocol: 'fault', at: 'head' } })] },
    'retry-match': {
      handle: [
        proxy({
          upstreams: [{ dial: `127.0.0.1:${upstream}` }],
          // A retry matcher that throws does not match, so the response remains the upstream's error.
          load_balancing: { retries: 2, retry_match: [{ fault: {} }] },
          rewrite: { uri: '/cut' },
        }),
      ],
      ...post,
      statuses: [502],
    },
    'retry-match-reject': {
      handle: [
        proxy({
          upstreams: [{ dial: `127.0.0.1:${upstream}` }],
          load_balancing: { retries: 2, retry_match: [{ fault: { at: 'reject' } }] },
          rewrite: { uri: '/cut' },
        }),
      ],
      ...post,
      statuses: [502],
    },
    'handle-response': {
      handle: [proxy({ ...up, handle_response: [{ routes: [{ handle: [fault('handle')] }] }] })],
    },
    files: { handle: [{ handler: 'file_server', fs: 'broken', root: '/' }], statuses: [404, 500] },
    subroute: { handle: [{ handler: 'subroute', routes: [{ handle: [fault('later')] }] }] },
  };
}

/** Error routes that throw. */
const errorRoutes = [{ match: [{ path: ['/nothing'] }], handle: [fault('handle')] }];

describe('faults in modules', function () {
  this.timeout(120_000);
  let sandbox: Sandbox;
  beforeEach(() => (sandbox = new Sandbox()));
  afterEach(() => sandbox.remove());

  it('faults in all module hooks and callbacks fail only the affected request @long', async () => {
    const [admin, http, upstream, wrapped, broken, secure] = (await Promise.all(
      Array.from({ length: 6 }, freePort),
    )) as [number, number, number, number, number, number];
    const all = cases(upstream);
    const listen = (port: number): object => ({
      listen: [`127.0.0.1:${port}`],
      automatic_https: { disable: true },
    });
    const file = await sandbox.write('config.json', {
      admin: { listen: `127.0.0.1:${admin}` },
      logging: {
        logs: {
          default: { exclude: ['http.log.access'] },
          encoder: { encoder: { format: 'fault' }, include: ['http.log.access'] },
          filter: {
            encoder: { format: 'filter', wrap: { format: 'json' }, fields: { status: { filter: 'fault' } } },
            include: ['http.log.access'],
          },
          writer: { writer: { output: 'fault' }, include: ['http.log.access'] },
        },
      },
      apps: {
        'caddy.filesystems': { filesystems: [{ name: 'broken', file_system: { backend: 'fault' } }] },
        events: { subscriptions: [{ handlers: [{ handler: 'fault' }, { handler: 'fault', at: 'reject' }] }] },
        pki: { certificate_authorities: { local: { install_trust: false } } },
        tls: {
          automation: {
            policies: [
              { subjects: ['localhost', 'client.test', 'match.test'], issuers: [{ module: 'internal' }] },
              { subjects: ['managed.test'], issuers: [{ module: 'fault' }] },
              {
                subjects: ['demand.test'],
                on_demand: true,
                issuers: [{ module: 'fault', at: 'objection' }],
                get_certificate: [{ via: 'fault' }],
              },
            ],
            on_demand: { permission: { module: 'fault' } },
          },
          certificates: { automate: ['managed.test', 'localhost', 'client.test', 'match.test'] },
        },
        http: {
          servers: {
            s: {
              ...listen(http),
              protocols: ['h1', 'h2c'],
              logs: {},
              errors: { routes: errorRoutes },
              routes: [
                ...Object.entries(all).map(([name, { match, handle }]) => ({
                  match: [{ path: [`/${name}`], ...match }],
                  handle,
                })),
                says('well'),
              ],
            },
            up: {
              ...listen(upstream),
              routes: [
                { match: [{ path: ['/cut'] }], handle: [{ handler: 'static_response', abort: true }] },
                says(text),
              ],
            },
            wrapped: { ...listen(wrapped), listener_wrappers: [{ wrapper: 'fault', at: 'wrap' }], routes: [says('x')] },
            broken: { ...listen(broken), listener_wrappers: [{ wrapper: 'fault', at: 'data' }], routes: [says('x')] },
            secure: {
              ...listen(secure),
              trusted_proxies: { source: 'fault' },
              tls_connection_policies: [
                { match: { sni: ['localhost'] } },
                {
                  match: { sni: ['client.test'] },
                  client_authentication: { mode: 'request', verifiers: [{ verifier: 'fault' }] },
                },
                { match: { sni: ['match.test'], fault: {} } },
                { match: { sni: ['demand.test'] } },
              ],
              routes: [
                { handle: [{ handler: 'static_response', body: '{http.request.remote.host} {http.vars.client_ip}' }] },
              ],
            },
          },
        },
      },
    });
    const server = await TestServer.start(
      sandbox,
      ['--config', file, '--workers', '2', '--module', faults],
      admin,
      http,
    );

    const load = { responded: 0, failed: [] as string[] };
    const stopped = new AbortController();
    const client = async (): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (!stopped.signal.aborted) {
        try {
          const { status, text: body } = await server.http('/', { agent });
          if (status === 200 && body === 'well') load.responded++;
          else load.failed.push(`${status} ${body}`);
        } catch (error) {
          load.failed.push(String(error));
        }
      }
      agent.destroy();
    };
    const clients = Array.from({ length: 4 }, client);
    const wrong: string[] = [];
    const check = (name: string, protocol: string, status: number): void => {
      if (!(all[name]?.statuses ?? [500]).includes(status)) wrong.push(`${name} over ${protocol}: ${status}`);
    };
    for (let round = 0; round < 4; round++) {
      for (const [name, { method, text: body, headers }] of Object.entries(all)) {
        const ask = {
          ...(method === undefined ? {} : { method }),
          ...(body === undefined ? {} : { text: body }),
          headers: { 'accept-encoding': 'fault', ...headers },
        };
        const status = await within(
          send(http, `/${name}`, ask).then((response) => response.status),
          name,
        );
        check(name, 'HTTP/1.1', status);
      }
      await overHttp2(http, all, check);
      // This client disconnects, and the abort listener of its request throws.
      const gone = connect(http, '127.0.0.1', () => gone.write('GET /abort HTTP/1.1\r\nHost: a\r\n\r\n'));
      gone.on('error', () => undefined);
      setTimeout(() => gone.destroy(), 20);
      for (const port of [wrapped, broken]) expect(await within(statusOf(port), `port ${port}`)).to.equal(0);
      for (const name of ['client.test', 'match.test', 'demand.test']) await within(handshake(secure, name), name);
      expect(await within(handshake(secure, 'localhost'), 'localhost')).to.match(/^HTTP\/1.1 (200|500)/);
    }
    stopped.abort();
    await Promise.all(clients);
    expect(wrong).to.deep.equal([]);
    expect(load.failed).to.deep.equal([]);
    expect(load.responded).to.be.greaterThan(100);
    expect(server.log.map(({ msg }) => msg)).not.to.include('worker exited; replacing it');

    const metrics = (await server.admin('/metrics')).text;
    const count = (part: string): number =>
      [...metrics.matchAll(new RegExp(`^sluice_faults_total\\{[^}]*part="${part}"[^}]*\\} (\\d+)`, 'gm'))].reduce(
        (sum, [, number]) => sum + Number(number),
        0,
      );
    for (const part of ['exchange', 'connection', 'task', 'log', 'thread'])
      expect(count(part), part).to.be.greaterThan(0);
    expect(metrics).to.match(/sluice_faults_total\{[^}]*module="http.handlers.fault"/);
    const logged = server.log.find(({ msg }) => msg === 'fault in later');
    expect(logged).to.include({ module: 'http.handlers.fault', route: 'apps.http.servers.s.routes[2]' });
    expect(await server.stop()).to.include({ code: 0 });
  });
});

/** Rejects if a promise does not settle in time, for example because a request never ends. */
async function within<T>(promise: Promise<T>, what: string): Promise<T | 0> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: no end`)), 5000);
  });
  try {
    return await Promise.race([promise.catch(() => 0 as const), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function statusOf(port: number): Promise<number> {
  return (await send(port, '/')).status;
}

async function overHttp2(
  port: number,
  all: Record<string, Case>,
  check: (name: string, protocol: string, status: number) => void,
): Promise<void> {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  try {
    for (const [name, { method, text: body, headers }] of Object.entries(all)) {
      const status = new Promise<number>((resolve) => {
        const stream = session.request({
          ':path': `/${name}`,
          ':method': method ?? 'GET',
          'accept-encoding': 'fault',
          ...headers,
        });
        let found = 0;
        stream.on('response', (fields) => (found = Number(fields[':status'])));
        stream.on('error', () => (found = 0));
        stream.on('close', () => resolve(found));
        stream.resume();
        stream.end(body);
      });
      check(name, 'HTTP/2', await within(status, `${name} over HTTP/2`));
    }
    expect(session.closed, 'the connection').to.equal(false);
  } finally {
    session.destroy();
  }
}

/** Performs a TLS handshake and sends a request. Returns the first response line, or an empty string. */
function handshake(port: number, servername: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectTls({ port, host: '127.0.0.1', servername, rejectUnauthorized: false }, () =>
      socket.write(`GET / HTTP/1.1\r\nHost: ${servername}\r\nConnection: close\r\n\r\n`),
    );
    let line = '';
    socket.on('data', (chunk: Buffer) => (line += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(line.split('\r\n')[0] ?? ''));
  });
}
