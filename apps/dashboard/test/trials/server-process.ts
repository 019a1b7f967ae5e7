/** Runs the built server in a separate process for trials. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Json } from '@sluice/base';
import { commandOf, freePort } from '@sluice/testing';
import { changesOf, type SendChange } from '../support/change.ts';

export interface ServerProcess {
  readonly pid: number;
  readonly origin: string;
  /** Port for requests. */
  readonly port: number;
  readonly change: SendChange;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../../server/bin/sluice.js', import.meta.url));

/**
 * Starts a server process. `document` creates the configuration for a port. `processor` is the only CPU that the process may use, if the
 * operating system supports this.
 */
export async function startServerProcess(
  document: (port: number) => Json,
  processor: number | null = null,
): Promise<ServerProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-trial-'));
  const [port, admin] = [await freePort(), await freePort()];
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify({ ...(document(port) as object), admin: { listen: `127.0.0.1:${admin}` } }));
  const pinned = processor === null || commandOf('taskset') === null ? [] : ['taskset', '-c', String(processor)];
  const [command = '', ...args] = [...pinned, process.execPath, program, 'run', '--config', file];
  const { NODE_OPTIONS: _of, ...env } = process.env;
  const child = spawn(command, args, {
    stdio: 'ignore',
    env: { ...env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const origin = `http://127.0.0.1:${admin}`;
  const stop = async (): Promise<void> => {
    child.kill();
    await gone;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let left = 1800; !(await isUp(origin)); left--) {
    if (child.exitCode === null && left > 0) await sleep(100);
    else {
      await stop();
      throw new Error('the server did not start');
    }
  }
  return { pid: child.pid ?? 0, origin, port, change: changesOf(origin), stop };
}

async function isUp(origin: string): Promise<boolean> {
  try {
    return (await fetch(`${origin}/session`, { headers: { Origin: origin } })).ok;
  } catch {
    return false;
  }
}
