/** Load generators for TLS. They first wait for the certificate, because the server starts listening before the certificate is available. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { connect } from 'node:tls';
import { load, printed, type Load } from '../load.ts';
import { findCommand } from '../machine.ts';
import type { Asking, Way } from '../way.ts';
import { overTls, secureHost, type KeyType } from './config.ts';

const handshakeLoad = fileURLToPath(new URL('handshake-load.ts', import.meta.url));
const haveH2load = findCommand('h2load') !== null;

/** Load generator for TLS 1.3 over keep-alive connections. */
export const overKeptTls: Way = {
  missing: null,
  isSecure: true,
  config: (routes, http) => overTls(routes, http),
  ready: secured,
  ask: ({ port, path, seconds, connections }) => load(`https://${secureHost}:${port}${path}`, { seconds, connections }),
};

/** Load generator for HTTP/2 over TLS. Each keep-alive connection has several concurrent requests. */
export const overHttp2: Way = {
  missing: haveH2load ? null : 'h2load',
  protocol: 'http2',
  isSecure: true,
  config: (routes, http) => overTls(routes, http),
  ready: secured,
  ask: ({ port, path, ...asking }) => h2load(`https://${secureHost}:${port}${path}`, asking),
};

/** Returns a load generator that performs a full handshake for each request. */
export function byHandshakes(keyType: KeyType): Way {
  return {
    missing: null,
    protocol: 'handshakes',
    isSecure: true,
    config: (routes, http) => overTls(routes, http, keyType),
    ready: secured,
    ask: ({ port, path, seconds, connections }) => handshakes(port, path, seconds, connections),
  };
}

async function h2load(
  url: string,
  { seconds, connections, streams }: Pick<Asking, 'seconds' | 'connections' | 'streams'>,
): Promise<Load> {
  const time = Math.ceil(seconds);
  const output = await printed(['h2load', '-t1', `-c${connections}`, `-m${streams}`, `-D${time}`, url]);
  const counts = /requests: .* (\d+) succeeded, (\d+) failed, (\d+) errored/.exec(output);
  const [succeeded = 0, failed = 0, errored = 0] = (counts ?? []).slice(1).map(Number);
  return { requestsPerSecond: succeeded / time, requests: succeeded, p99: Number.NaN, errors: failed + errored };
}

async function handshakes(port: number, path: string, seconds: number, connections: number): Promise<Load> {
  const args = [port, secureHost, path, connections, seconds].map(String);
  const output = await printed([process.execPath, handshakeLoad, ...args]);
  const { responded, failed } = JSON.parse(output) as { responded: number; failed: number };
  return { requestsPerSecond: responded / seconds, requests: responded, p99: Number.NaN, errors: failed };
}

/** Resolves as soon as a TLS handshake with the port succeeds. */
export async function secured(port: number): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (await shakesHands(port)) return;
    await sleep(50);
  }
  throw new Error('no certificate');
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
