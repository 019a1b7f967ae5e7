/** Runs commands on specific CPUs of the benchmark machine. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the path of a command, or `null` if it is not in PATH. */
export function findCommand(name: string): string | null {
  const found = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' });
  if (found.status === 0) return found.stdout.trim();
  const go = spawnSync('sh', ['-c', 'echo "$(go env GOPATH 2>/dev/null)/bin/$1"', 'sh', name], {
    encoding: 'utf8',
  }).stdout.trim();
  return spawnSync('test', ['-x', go]).status === 0 ? go : null;
}

const pinned = findCommand('taskset') !== null && availableParallelism() > 1;

/** Pins a command to one CPU, if the machine has several CPUs and `taskset` is installed. */
export function onProcessor(processor: number, command: readonly string[]): string[] {
  return pinned ? ['taskset', '-c', String(processor), ...command] : [...command];
}

/** Pins this process to a CPU. Its child processes are pinned to the same CPU by default. */
export function keepOnProcessor(processor: number): void {
  if (pinned) spawnSync('taskset', ['-acp', String(processor), String(process.pid)]);
}

const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a command on a CPU, without output. The command is terminated when this process exits. */
export function start(
  processor: number,
  command: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess {
  const [program = '', ...args] = onProcessor(processor, command);
  const child = spawn(program, args, {
    stdio: process.env['BENCH_VERBOSE'] ? ['ignore', 'inherit', 'inherit'] : 'ignore',
    env: { ...process.env, ...env },
  });
  started.add(child);
  child.once('exit', () => started.delete(child));
  return child;
}

/** Kills a process that this module started, and waits for it to exit. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(timer);
}

/** Sends SIGTERM to a process. Returns the time in seconds until it exits, or `null` after a timeout. */
export async function terminate(child: ChildProcess, timeout: number): Promise<number | null> {
  const began = performance.now();
  const gone = new Promise<boolean>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(true);
    else child.once('exit', () => resolve(true));
  });
  child.kill('SIGTERM');
  const controller = new AbortController();
  const late = sleep(timeout, false, { signal: controller.signal }).catch(() => false);
  const ended = await Promise.race([gone, late]);
  controller.abort();
  return ended ? Math.round(performance.now() - began) / 1000 : null;
}
