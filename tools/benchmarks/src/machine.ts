/** Commands and processors of the machine that the benchmarks run on. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where a command is, or `null` if it is not on the path. */
export function findCommand(name: string): string | null {
  const found = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' });
  if (found.status === 0) return found.stdout.trim();
  const go = spawnSync('sh', ['-c', 'echo "$(go env GOPATH 2>/dev/null)/bin/$1"', 'sh', name], {
    encoding: 'utf8',
  }).stdout.trim();
  return spawnSync('test', ['-x', go]).status === 0 ? go : null;
}

const pinned = findCommand('taskset') !== null && availableParallelism() > 1;

/** Puts a command on one processor, where the machine has several and can. */
export function onProcessor(processor: number, command: readonly string[]): string[] {
  return pinned ? ['taskset', '-c', String(processor), ...command] : [...command];
}

/** Keeps this process, and what it starts without saying where, on a processor. */
export function keepOnProcessor(processor: number): void {
  if (pinned) spawnSync('taskset', ['-acp', String(processor), String(process.pid)]);
}

/** What was started and may still run. */
const started = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of started) child.kill('SIGKILL');
});

/** Starts a command on a processor, without output. It does not outlive this process. */
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

/** Ends a process of ours and waits until it is gone. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(timer);
}

/** Asks a process of ours to end. Gives the seconds that it took, or `null` if that was not enough. */
export async function terminate(child: ChildProcess, patience: number): Promise<number | null> {
  const began = performance.now();
  const gone = new Promise<boolean>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(true);
    else child.once('exit', () => resolve(true));
  });
  child.kill('SIGTERM');
  const timeout = new AbortController();
  const late = sleep(patience, false, { signal: timeout.signal }).catch(() => false);
  const ended = await Promise.race([gone, late]);
  timeout.abort();
  return ended ? Math.round(performance.now() - began) / 1000 : null;
}
