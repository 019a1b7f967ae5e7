/** Sends each target of the path test matrix to each route of a server. */
import { ask } from '../requests/response-lines.ts';
import { get } from '../requests/request.ts';
import { configOf, routeField } from '../requests/scenario.ts';
import { ServerProcess, type StartSettings } from '../servers/server-process.ts';
import { targets } from './forms.ts';
import { listenFastcgi, type FastcgiRequest } from './responder.ts';
import { routesTo } from './routes.ts';
import { makeTree, removeTree } from './tree.ts';
import { listenHttp } from './upstream.ts';

/** Results by route and request target. */
export type Matrix = Record<string, Record<string, string>>;

/** FastCGI parameters that depend on the path. */
const pathParams: readonly string[] = [
  'SCRIPT_NAME',
  'SCRIPT_FILENAME',
  'PATH_INFO',
  'PATH_TRANSLATED',
  'DOCUMENT_URI',
];

/** Number of concurrent requests. */
const together = 8;
/** Maximum length of a saved body. Only directory listings are longer, and their content does not matter. */
const maxLength = 1200;

/** Starts a server, sends all requests, and stops the server. */
export async function playPaths(command: readonly string[], settings: StartSettings = {}): Promise<Matrix> {
  const folder = makeTree();
  const upstream = await listenHttp();
  const responder = await listenFastcgi(pathsOf);
  const server = await ServerProcess.start(command, settings);
  try {
    const root = `${folder}/root`;
    const routes = routesTo({ root, upstream: upstream.port, responder: responder.port });
    const names = Object.keys(routes);
    const handlers = Object.values(routes).map((each) => [{ handler: 'subroute', routes: each }]);
    await server.load(configOf(handlers, server.port));
    const matrix: Matrix = {};
    for (const [index, name] of names.entries()) matrix[name] = await playRoute(server.port, index, folder);
    return matrix;
  } finally {
    await server.stop();
    upstream.close();
    responder.close();
    removeTree(folder);
  }
}

async function playRoute(port: number, route: number, folder: string): Promise<Record<string, string>> {
  const responses: Record<string, string> = {};
  for (let at = 0; at < targets.length; at += together) {
    const batch = targets.slice(at, at + together);
    const reported = await Promise.all(batch.map((target) => report(port, target, route, folder)));
    for (const [index, target] of batch.entries()) responses[target] = reported[index] ?? '';
  }
  return responses;
}

/** Formats a response as text: status, redirect location and body. Removes the temporary directory of the run. */
async function report(port: number, target: string, route: number, folder: string): Promise<string> {
  const [status = '', ...lines] = await ask(port, get(target, [[routeField, String(route)]]));
  const location = lines.filter((line) => line.startsWith('Location: '));
  const body = lines
    .filter((line) => line.startsWith('body '))
    .map((line) => JSON.parse(line.slice(line.indexOf(': ') + 2)) as string)
    .join('\n');
  const shown = body.length > maxLength ? '(long)' : body;
  return [status, ...location, shown].join('\n').replaceAll(folder, '{folder}');
}

function pathsOf({ params }: FastcgiRequest): string {
  const lines = pathParams.filter((name) => params.has(name)).map((name) => `${name}=${params.get(name) ?? ''}`);
  return `Content-Type: text/plain\r\n\r\n${lines.join('\n')}`;
}
