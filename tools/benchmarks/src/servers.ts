/** Servers to benchmark: Sluice, and the installed competitors. Each runs on CPU 0 with one worker. */
import { execFile, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '@sluice/testing/machine';
import { findCommand, start, stop, terminate } from './machine.ts';
import { processorTime, residentMemory } from './processes.ts';

/** Function that returns a native JSON configuration for a port. Addresses that differ per server are added later. */
export type MakeConfig = (port: number) => unknown;

export interface Running {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Port of the admin API, or 0 if there is none. */
  readonly admin: number;
  /** Working directory of the server. It contains the server's storage. */
  readonly folder: string;
  readonly startMs: number;
  memory(): number;
  /** Returns the CPU time used so far, in microseconds. */
  processorTime(): number;
  /** Sends SIGTERM. Returns the time in seconds until the server exits, or `null` if it is still running after `timeout` milliseconds. */
  terminate(timeout: number): Promise<number | null>;
  stop(): Promise<void>;
}

const workspace = fileURLToPath(new URL('../../..', import.meta.url));

/** Name and command of a server that can load native JSON. */
export interface NativeServer {
  readonly name: string;
  readonly command: readonly string[];
}

/** Returns Sluice as built in a workspace: this workspace, or a checkout of another commit. */
export function ownServer(name = 'sluice', root = workspace): NativeServer {
  return { name, command: [process.execPath, join(root, 'apps/server/bin/sluice.js')] };
}

/** Returns Sluice, and Caddy if it is installed. */
export function nativeServers(): NativeServer[] {
  const servers = [ownServer()];
  const caddy = findCommand('caddy');
  if (caddy !== null) servers.push({ name: 'caddy', command: [caddy] });
  return servers;
}

/** Starts a server of {@link nativeServers}. `options` are added to its `run` command. */
export async function startNative(
  name: string,
  command: readonly string[],
  makeConfig: MakeConfig,
  options: readonly string[] = [],
): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const [port, admin] = [await freePort(), await freePort()];
  writeFileSync(
    join(folder, 'config.json'),
    JSON.stringify({
      admin: { listen: `127.0.0.1:${admin}` },
      ...(makeConfig(port) as object),
    }),
  );
  const home = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder };
  const began = performance.now();
  const child = start(0, [...command, 'run', '--config', join(folder, 'config.json'), ...options], home);
  return running({ name, child, port, admin, began, folder });
}

export interface NginxConfig {
  /** Content of nginx's `server` block, without the address. */
  readonly server: string;
  /** Additional nginx blocks, such as `upstream` and other servers. `{listen}` is a placeholder for their address. */
  readonly beside?: string;
  /** Parameters of nginx's `listen` directive. Defaults to unencrypted HTTP/1.1. */
  readonly listen?: 'ssl' | 'ssl http2' | 'quic';
}

export async function startNginx({ server, beside = '', listen }: NginxConfig, processor = 0): Promise<Running | null> {
  const nginx = findCommand('nginx');
  if (nginx === null || (listen === 'quic' && !(await supportsHttp3(nginx)))) return null;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const port = await freePort();
  const listenWith = (parameters: string): string => `listen 127.0.0.1:${port} ${parameters};`;
  const address = listen === 'quic' ? `${listenWith('quic')} ${listenWith('ssl')}` : listenWith(listen ?? '');
  const config = `daemon off; worker_processes 1; pid ${folder}/pid; error_log /dev/null;
events { worker_connections 4096; }
http { access_log off; sendfile on; keepalive_requests 1000000000; types { text/plain txt; text/html html; }
server_names_hash_max_size 65536; server_names_hash_bucket_size 128;
client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
${beside.replaceAll('{listen}', address)}
server { ${address} ${server} } }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const began = performance.now();
  const command = [nginx, '-c', join(folder, 'nginx.conf'), '-p', folder];
  return running({ name: 'nginx', child: start(processor, command), port, admin: 0, began, folder });
}

async function supportsHttp3(nginx: string): Promise<boolean> {
  const { stderr } = await promisify(execFile)(nginx, ['-V']);
  return stderr.includes('--with-http_v3_module');
}

interface Started {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly admin: number;
  /** Start time of the server, as measured by `performance.now()`. */
  readonly began: number;
  /** Working directory of the server. It is removed together with the server. */
  readonly folder: string;
}

async function running({ name, child, port, admin, began, folder }: Started): Promise<Running> {
  const end = async (): Promise<void> => {
    await stop(child);
    rmSync(folder, { recursive: true, force: true });
  };
  for (;;) {
    if (await isUp(port)) break;
    if (child.exitCode !== null || performance.now() - began > 90_000) {
      await end();
      throw new Error(`${name} did not start`);
    }
    await sleep(5);
  }
  const startMs = performance.now() - began;
  const pid = child.pid ?? 0;
  return {
    name,
    pid,
    port,
    admin,
    folder,
    startMs,
    memory: () => residentMemory(pid),
    processorTime: () => processorTime(pid),
    terminate: (timeout) => terminate(child, timeout),
    stop: end,
  };
}

function isUp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const attempt = request({ host: '127.0.0.1', port, agent: false, timeout: 1000 }, (response) => {
      response.resume();
      resolve(true);
    });
    attempt.on('error', () => resolve(false)).end();
  });
}
