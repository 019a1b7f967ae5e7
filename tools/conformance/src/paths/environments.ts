/** Records the complete FastCGI environment of scripts, for all kinds of requests. */
import { ask } from '../requests/response-lines.ts';
import type { Request } from '../requests/request.ts';
import { configOf, routeField } from '../requests/scenario.ts';
import { ServerProcess, type StartSettings } from '../servers/server-process.ts';
import { listenFastcgi } from './responder.ts';
import { makeTree, removeTree } from './tree.ts';

/** Lines of a FastCGI environment, or of another response, by case name. */
export type Environments = Record<string, readonly string[]>;

interface Case {
  /** Index of the route in {@link handlersTo}. */
  readonly route: number;
  readonly request: Partial<Request>;
}

const form = 'application/x-www-form-urlencoded';

/** Requests that each produce a different FastCGI environment. */
const cases: Readonly<Record<string, Case>> = {
  get: { route: 0, request: { target: '/admin.php/a%20b?x=%20&y' } },
  'get with a type and a length': {
    route: 0,
    request: {
      fields: [
        ['Content-Type', 'a/b'],
        ['Content-Length', '0'],
        ['Authorization', 'Basic eDp5'],
      ],
    },
  },
  post: { route: 0, request: { method: 'POST', body: 'abc' } },
  'post without a body': { route: 0, request: { method: 'POST' } },
  'post of a form': { route: 0, request: { method: 'POST', body: 'a=b', fields: [['Content-Type', form]] } },
  'post with an empty type': { route: 0, request: { method: 'POST', body: 'abc', fields: [['Content-Type', '']] } },
  put: { route: 0, request: { method: 'PUT', body: 'xyz' } },
  delete: { route: 0, request: { method: 'DELETE' } },
  patch: { route: 0, request: { method: 'PATCH', body: 'p', fields: [['Content-Type', 'c/d']] } },
  'a method of its own': { route: 0, request: { method: 'PROPFIND', body: '<x/>' } },
  options: { route: 0, request: { method: 'OPTIONS' } },
  'fields of all kinds': {
    route: 0,
    request: {
      host: 'h.example:8080',
      fields: [
        ['User-Agent', 'u'],
        ['Proxy', 'evil'],
        ['X.Dot', '1'],
        ['X_Underscore', '2'],
        ['X-Twice', '1'],
        ['X-Twice', '2'],
        ['Cookie', 'a=b'],
        ['Cookie', 'c=d'],
        ['X-Forwarded-For', '192.0.2.1'],
        ['Connection', 'X-Hop'],
        ['X-Hop', 'gone'],
        ['Range', 'bytes=0-1'],
        ['Https', 'on'],
        ['X-Latin', '\u00e4'],
      ],
    },
  },
  'an absolute target': { route: 0, request: { target: 'http://abs.example/admin.php?x', host: 'other.example' } },
  'an IPv6 host': { route: 0, request: { host: '[::1]:81' } },
  'an unfinished query': { route: 0, request: { target: '/admin.php?' } },
  'bytes that are not UTF-8': { route: 0, request: { target: '/admin.php/%ff%fe?%ff' } },
  'a chunked body': {
    route: 0,
    request: { method: 'POST', target: '/admin.php', fields: [['Transfer-Encoding', 'chunked']] },
  },
  'a file that was found': { route: 1, request: { target: '/admin.php/a//b/?q' } },
  'a file with a remainder of escapes': { route: 1, request: { target: '/admin.php/a%2520b/..%252f' } },
  'a folder with an index': { route: 1, request: { target: '/folder.php' } },
  'nothing that was found': { route: 1, request: { target: '/no/such/page?q' } },
  'a rewrite of the proxy, and env': { route: 2, request: { target: '/admin.php/x?q' } },
  'no rule of splitting': { route: 3, request: { target: '/admin.php/x/' } },
};

/** FastCGI parameters that vary between runs or differ by design. */
const varying = /^(?:REMOTE_PORT|SERVER_SOFTWARE)=/;

/** Sends all requests to a server and records the environments. */
export async function playEnvironments(
  command: readonly string[],
  settings: StartSettings = {},
): Promise<Environments> {
  const folder = makeTree();
  const responder = await listenFastcgi(({ params, body }) => {
    const lines = [...params].map(([name, value]) => `${name}=${value}`).sort();
    return `Content-Type: text/plain\r\n\r\n${lines.join('\n')}\nbody ${body.toString('latin1')}`;
  });
  const server = await ServerProcess.start(command, settings);
  try {
    await server.load(configOf(handlersTo(`${folder}/root`, responder.port), server.port));
    const environments: Environments = {};
    for (const [name, each] of Object.entries(cases))
      environments[name] = await environmentOf(server.port, each, folder);
    return environments;
  } finally {
    await server.stop();
    responder.close();
    removeTree(folder);
  }
}

async function environmentOf(port: number, { route, request }: Case, folder: string): Promise<readonly string[]> {
  const whole: Request = {
    method: 'GET',
    target: '/admin.php',
    host: 'test.example',
    body: '',
    ...request,
    fields: [],
  };
  const fields = [[routeField, String(route)] as const, ...(request.fields ?? [])];
  const chunked = fields.some(([name]) => name === 'Transfer-Encoding');
  const lines = await ask(port, { ...whole, fields }, chunked ? '3\r\nabc\r\n0\r\n\r\n' : '');
  return lines
    .map((line) => (line.startsWith('body ') ? (JSON.parse(line.slice(line.indexOf(': ') + 2)) as string) : line))
    .filter((line) => !varying.test(line))
    .map((line) => line.replaceAll(folder, '{folder}'));
}

function handlersTo(root: string, port: number): object[][] {
  const fastcgi = (transport: object = {}, more: object = {}): object => ({
    handler: 'reverse_proxy',
    upstreams: [{ dial: `127.0.0.1:${port}` }],
    transport: { protocol: 'fastcgi', root, split_path: ['.php'], ...transport },
    ...more,
  });
  const tries = ['{http.request.uri.path}', '{http.request.uri.path}/index.php', 'index.php'];
  const found = {
    match: [{ file: { root, try_files: tries, split_path: ['.php'] } }],
    handle: [{ handler: 'rewrite', uri: '{http.matchers.file.relative}' }],
  };
  const env = { A: '{http.request.host} {nope}', PATH_INFO: 'mine', HTTP_X: 'y' };
  const headers = { request: { set: { 'X-Set': ['{http.request.uri.path}'] } } };
  return [
    [fastcgi()],
    [{ handler: 'subroute', routes: [found, { handle: [fastcgi()] }] }],
    [fastcgi({ env }, { rewrite: { uri: '/other.php/y?z' }, headers })],
    [fastcgi({ split_path: [] })],
  ];
}
