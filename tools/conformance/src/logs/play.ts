/** Sends the requests of log test cases to a server and reads the resulting logs. */
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServerProcess } from '../servers/server-process.ts';
import type { LogResponse, LogCase, LogRequest } from './cases.ts';
import { comparableLine } from './comparable.ts';

const plainRoutes = [{ handle: [{ handler: 'static_response', body: 'hi' }] }];
/** A log file counts as complete if it has not grown for this time, in milliseconds. */
const quiet = 150;

/** Runs all log test cases on one server process, started with the given options. Returns the logs by case name. */
export async function playLogs(
  command: readonly string[],
  cases: readonly LogCase[],
  options: readonly string[] = [],
): Promise<Record<string, LogResponse>> {
  const server = await ServerProcess.start(command, { options, environment: { LOG_TEST: 'from-env' } });
  try {
    const played: PlayedCase[] = [];
    for (const [index, each] of cases.entries()) played.push(await playCase(server, each, index));
    // The last configuration opens no log, so the server closes all files.
    await server.load({});
    await untilQuiet(played.flatMap(({ files }) => Object.values(files ?? {})));
    return Object.fromEntries(played.map(({ name, files }) => [name, files === null ? null : linesOf(files)]));
  } finally {
    await server.stop();
  }
}

/** A case whose requests were sent. `files` maps logs to their files, and is `null` if the server rejected the configuration. */
interface PlayedCase {
  readonly name: string;
  readonly files: Readonly<Record<string, string>> | null;
}

async function playCase(
  running: ServerProcess,
  { name: title, logs, server, routes, requests }: LogCase,
  index: number,
): Promise<PlayedCase> {
  const file = (log: string): string => join(running.folder, `${index}-${log}.log`);
  const withFiles = Object.entries(logs).map(([name, log]) => [
    name,
    { writer: { output: 'file', filename: file(name) }, ...log },
  ]);
  const config = {
    // The default log is discarded because its entries are irrelevant and would fill Caddy's standard error.
    logging: { logs: { default: { writer: { output: 'discard' } }, ...Object.fromEntries(withFiles) } },
    apps: {
      http: {
        servers: {
          s: {
            listen: [`127.0.0.1:${running.port}`],
            automatic_https: { disable: true },
            routes: routes ?? plainRoutes,
            logs: {},
            ...server,
          },
        },
      },
    },
  };
  if ((await running.offer(config)) !== null) return { name: title, files: null };
  for (const each of requests ?? [{}]) await send(running.port, each);
  return { name: title, files: Object.fromEntries(Object.keys(logs).map((name) => [name, file(name)])) };
}

function linesOf(files: Readonly<Record<string, string>>): LogResponse {
  const lines = (path: string) => read(path).split('\n').filter(Boolean).map(comparableLine);
  return Object.fromEntries(Object.entries(files).map(([name, path]) => [name, lines(path)]));
}

function send(port: number, what: LogRequest): Promise<void> {
  return what.raw === undefined ? sendRequest(port, what) : sendRaw(port, what.raw);
}

/** Sends a request on a new connection and reads the complete response, if there is one. */
function sendRequest(
  port: number,
  { method = 'GET', path = '/', host = 'a.example', headers, body }: LogRequest,
): Promise<void> {
  return new Promise((resolve) => {
    const all = { connection: 'close', ...headers, host };
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false, headers: all }, (response) => {
      response.resume().on('close', resolve);
    });
    sent.on('error', () => resolve()).end(body);
  });
}

function sendRaw(port: number, raw: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(raw, 'latin1')));
    socket
      .on('error', () => undefined)
      .on('close', () => resolve())
      .resume();
  });
}

async function untilQuiet(files: readonly string[]): Promise<void> {
  let before = '';
  for (let since = performance.now(); performance.now() - since < quiet; await sleep(25)) {
    const now = files.map(read).join('\n');
    if (now !== before) since = performance.now();
    before = now;
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
