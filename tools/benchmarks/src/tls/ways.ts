/** Ways to ask over TLS. All begin with a check that the certificate is there: servers listen before. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from 'node:tls';
import { load, type Load } from '../load.ts';
import { findCommand, onProcessor } from '../machine.ts';
import type { Way } from '../way.ts';
import { overTls, secureHost, type KeyType } from './config.ts';

const handshakeLoad = fileURLToPath(new URL('handshake-load.ts', import.meta.url));
const haveH2load = findCommand('h2load') !== null;

/** TLS 1.3 on kept connections. */
export const overKeptTls: Way = {
  missing: null,
  config: overTls,
  ready: secured,
  ask: ({ port, path, seconds, connections }) => load(`https://${secureHost}:${port}${path}`, { seconds, connections }),
};

/** HTTP/2 over TLS: kept connections, each with sixteen requests at a time. */
export const overHttp2: Way = {
  missing: haveH2load ? null : 'h2load',
  config: overTls,
  ready: secured,
  ask: ({ port, path, seconds, connections }) => h2load(`https://${secureHost}:${port}${path}`, seconds, connections),
};

/** A full handshake for each request. */
export function byHandshakes(keyType: KeyType): Way {
  return {
    missing: null,
    config: (routes, http) => overTls(routes, http, keyType),
    ready: secured,
    ask: ({ port, path, seconds, connections }) => handshakes(port, path, seconds, connections),
  };
}

/** Runs a command of the load on processor 1, and gives what it printed. */
function run(command: readonly string[]): Promise<string> {
  const [program = '', ...args] = onProcessor(1, command);
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject).on('close', () => resolve(output));
  });
}

async function h2load(url: string, seconds: number, connections: number): Promise<Load> {
  const output = await run(['h2load', '-t1', `-c${connections}`, '-m16', `-D${seconds}`, url]);
  const counts = /requests: .* (\d+) succeeded, (\d+) failed, (\d+) errored/.exec(output);
  const [succeeded = 0, failed = 0, errored = 0] = (counts ?? []).slice(1).map(Number);
  return { requestsPerSecond: succeeded / seconds, p99: Number.NaN, errors: failed + errored };
}

async function handshakes(port: number, path: string, seconds: number, connections: number): Promise<Load> {
  const args = [port, secureHost, path, connections, seconds].map(String);
  const output = await run([process.execPath, handshakeLoad, ...args]);
  const { responded, failed } = JSON.parse(output) as { responded: number; failed: number };
  return { requestsPerSecond: responded / seconds, p99: Number.NaN, errors: failed };
}

/** Resolves when a handshake succeeds. */
async function secured(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await shakesHands(port)) return;
    await sleep(50);
  }
  throw new Error('there is no certificate');
}

function shakesHands(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: secureHost, rejectUnauthorized: false });
    const done = (succeeded: boolean) => (): void => {
      socket.destroy();
      resolve(succeeded);
    };
    socket.on('secureConnect', done(true)).on('error', done(false));
  });
}
