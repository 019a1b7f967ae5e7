/** Load generators for HTTP/3, with quic-go as the client. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { printed, type Load } from '../load.ts';
import { findCommand } from '../machine.ts';
import { overTls, secureHost } from '../tls/config.ts';
import { secured } from '../tls/ways.ts';
import type { Asking, Way } from '../way.ts';

const source = fileURLToPath(new URL('client', import.meta.url));
const go = findCommand('go');
const run = promisify(execFile);

/** Load over persistent connections, each with several concurrent requests. */
export const overHttp3: Way = wayWith([]);

/** Load with a full handshake per request. */
export const byHttp3Handshakes: Way = wayWith(['-handshakes']);

function wayWith(options: readonly string[]): Way {
  return {
    missing: go === null ? 'go' : null,
    protocol: 'http3',
    isSecure: true,
    config: (routes, http) => overTls(routes, http, 'p256', ['h1', 'h2', 'h3']),
    ready: secured,
    ask: (asking) => http3Load(asking, options),
  };
}

async function http3Load(
  { port, path, seconds, connections, streams }: Asking,
  options: readonly string[],
): Promise<Load> {
  const client = await http3Client();
  const url = `https://${secureHost}:${port}${path}`;
  const sizes = ['-connections', connections, '-streams', streams, '-seconds', seconds].map(String);
  const load = JSON.parse(await printed([client, '-url', url, ...sizes, ...options])) as {
    responded: number;
    failed: number;
    seconds: number;
    p99: number;
  };
  return {
    requestsPerSecond: load.responded / load.seconds,
    requests: load.responded,
    p99: load.p99,
    errors: load.failed,
  };
}

let built: Promise<string> | undefined;

/** Returns the path of the HTTP/3 client. The client is built in a temporary directory, which is removed at exit. */
export function http3Client(): Promise<string> {
  return (built ??= build());
}

async function build(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-http3-load-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(source, folder, { recursive: true });
  await run(go ?? 'go', ['build', '-o', 'client', '.'], { cwd: folder });
  return join(folder, 'client');
}
