/** Plays cases of logs to a server, and reads what it wrote. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LogAnswer, LogCase, LogRequest } from './cases.ts';
import { comparableLine } from './comparable.ts';

/** A server that takes the native JSON, running without apps. */
interface Player {
  readonly admin: number;
  readonly port: number;
  readonly folder: string;
}

const plainRoutes = [{ handle: [{ handler: 'static_response', body: 'hi' }] }];
/** How long files must not have grown to be complete, in milliseconds. */
const quiet = 150;

/** Plays all cases to one process of a command, started with these options; gives the answers by name. */
export async function playLogs(
  command: readonly string[],
  cases: readonly LogCase[],
  options: readonly string[] = [],
): Promise<Record<string, LogAnswer>> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-logs-'));
  const player = { admin: await freePort(), port: await freePort(), folder };
  const [program = '', ...args] = command;
  const home = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder, LOG_TEST: 'from-env' };
  const child = spawn(program, [...args, 'run', '--config', '-', ...options], {
    env: { ...process.env, ...home },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end(JSON.stringify(adminOf(player)));
  try {
    await untilReady(player.admin);
    const answers: Record<string, LogAnswer> = {};
    for (const [index, each] of cases.entries()) answers[each.name] = await playCase(player, each, index);
    return answers;
  } finally {
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playCase(
  player: Player,
  { logs, server, routes, requests }: LogCase,
  index: number,
): Promise<LogAnswer> {
  const file = (log: string): string => join(player.folder, `${index}-${log}.log`);
  const withFiles = Object.entries(logs).map(([name, log]) => [
    name,
    { writer: { output: 'file', filename: file(name) }, ...log },
  ]);
  const config = {
    ...adminOf(player),
    // Not what this is about, and it would fill the standard error of the reference.
    logging: { logs: { default: { writer: { output: 'discard' } }, ...Object.fromEntries(withFiles) } },
    apps: {
      http: {
        servers: {
          s: {
            listen: [`127.0.0.1:${player.port}`],
            automatic_https: { disable: true },
            routes: routes ?? plainRoutes,
            logs: {},
            ...server,
          },
        },
      },
    },
  };
  if ((await load(player, config)) !== 200) return null;
  for (const each of requests ?? [{}]) await send(player.port, each);
  await load(player, adminOf(player));
  const names = Object.keys(logs);
  await untilQuiet(names.map(file));
  return Object.fromEntries(
    names.map((name) => [name, read(file(name)).split('\n').filter(Boolean).map(comparableLine)]),
  );
}

function adminOf({ admin }: Player): Record<string, unknown> {
  return { admin: { listen: `127.0.0.1:${admin}` } };
}

async function untilReady(admin: number): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if ((await call(admin, { path: '/config/' })) === 200) return;
    await sleep(25);
  }
  throw new Error('the server did not start');
}

function load({ admin }: Player, config: unknown): Promise<number> {
  return call(admin, {
    method: 'POST',
    path: '/load',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(config),
  });
}

function send(port: number, what: LogRequest): Promise<number> {
  return what.raw === undefined ? call(port, { host: 'a.example', ...what }) : sendRaw(port, what.raw);
}

/** One request on a connection of its own; gives the status, 0 if there was no answer. */
function call(port: number, { method = 'GET', path = '/', host, headers, body }: LogRequest): Promise<number> {
  return new Promise((resolve) => {
    const all = { connection: 'close', ...headers, ...(host === undefined ? {} : { host }) };
    const sent = request({ host: '127.0.0.1', port, method, path, agent: false, headers: all }, (answer) => {
      answer.resume().on('close', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0)).end(body);
  });
}

function sendRaw(port: number, raw: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(Buffer.from(raw, 'latin1')));
    socket
      .on('error', () => undefined)
      .on('close', () => resolve(0))
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

function freePort(): Promise<number> {
  const server = createServer();
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
