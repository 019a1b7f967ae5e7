/** The servers that are compared: ours, and the rivals that are found. Each on processor 0, with one worker. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findCommand, freePort, start, stop, terminate } from './machine.ts';

/** Configuration in the native JSON, but for the addresses, which each server gets of its own. */
export type MakeConfig = (port: number) => unknown;

/** A running server. */
export interface Running {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** Port of the admin API, or 0. */
  readonly admin: number;
  /** From the start of the process to its first response, in milliseconds. */
  readonly startMs: number;
  /** Resident memory now, in MiB. */
  memory(): number;
  /** Processor time that it has used so far, in microseconds. */
  processorTime(): number;
  /** Sends SIGTERM, and gives the seconds until it is gone; `null` if it is still there after `patience` milliseconds. */
  terminate(patience: number): Promise<number | null>;
  stop(): Promise<void>;
}

const launcher = fileURLToPath(new URL('../../../apps/server/bin/sluice.js', import.meta.url));

/** Command lines of servers that take the native JSON. */
export function nativeServers(): { name: string; command: readonly string[] }[] {
  const servers: { name: string; command: readonly string[] }[] = [
    { name: 'sluice', command: [process.execPath, launcher] },
  ];
  const caddy = findCommand('caddy');
  if (caddy !== null) servers.push({ name: 'caddy', command: [caddy] });
  return servers;
}

/** Starts a server of {@link nativeServers}; `options` are further ones of its command `run`. */
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

/** Starts nginx with the body of a `server` block on a processor, or gives `null` if there is none here. */
export async function startNginx(serverBlock: string, processor = 0): Promise<Running | null> {
  const nginx = findCommand('nginx');
  if (nginx === null) return null;
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const port = await freePort();
  const config = `daemon off; worker_processes 1; pid ${folder}/pid; error_log /dev/null;
events { worker_connections 4096; }
http { access_log off; sendfile on; keepalive_requests 1000000000; types { text/plain txt; } client_body_temp_path ${folder}/b; proxy_temp_path ${folder}/p; fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;
server { listen 127.0.0.1:${port}; ${serverBlock} } }`;
  writeFileSync(join(folder, 'nginx.conf'), config);
  const began = performance.now();
  const command = [nginx, '-c', join(folder, 'nginx.conf'), '-p', folder];
  return running({ name: 'nginx', child: start(processor, command), port, admin: 0, began, folder });
}

/** A server that was started. */
interface Started {
  readonly name: string;
  readonly child: ChildProcess;
  readonly port: number;
  readonly admin: number;
  /** When, in milliseconds of `performance.now()`. */
  readonly began: number;
  /** Its files; removed with it. */
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
  const memory = (): number => residentMemory(pid);
  return {
    name,
    pid,
    port,
    admin,
    startMs,
    memory,
    processorTime: () => processorTime(pid),
    terminate: (patience) => terminate(child, patience),
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

function residentMemory(pid: number): number {
  let total = 0;
  for (const id of [pid, ...childrenOf(pid)]) {
    const line = /VmRSS:\s+(\d+)/.exec(readText(`/proc/${id}/status`));
    total += Number(line?.[1] ?? 0) / 1024;
  }
  return total;
}

/** Microseconds (Linux; its clock ticks a hundred times a second). */
function processorTime(pid: number): number {
  let ticks = 0;
  for (const id of [pid, ...childrenOf(pid)]) {
    const fields = readText(`/proc/${id}/stat`)
      .replace(/^.*\) /, '')
      .split(' ');
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }
  return ticks * 10_000;
}

function childrenOf(pid: number): number[] {
  const direct = readText(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return direct.flatMap((child) => [child, ...childrenOf(child)]);
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** One call of an admin API, on a connection of its own: the reference cuts kept ones at each change. */
export function adminCall(port: number, method: string, path: string, body: unknown): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(
      { host: '127.0.0.1', port, method, path, agent: false, headers: { 'content-type': 'application/json' } },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    call.on('error', reject).end(JSON.stringify(body));
  });
}
