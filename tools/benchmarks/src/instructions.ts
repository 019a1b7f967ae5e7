/**
 * Counts a server's CPU instructions with `perf`. Unlike CPU time, instruction counts do not depend on cache pressure from other processes.
 * However, they do not reflect the duration of each instruction.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCommand } from './machine.ts';
import { treeOf } from './processes.ts';

const havePerf = findCommand('perf') !== null;

/** Counts the instructions of a process and its children until the returned function is called. The result is NaN if perf is not available. */
export async function countInstructions(pid: number): Promise<() => Promise<number>> {
  if (!havePerf) return () => Promise.resolve(Number.NaN);
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-perf-'));
  const file = join(folder, 'counts');
  const args = ['stat', '-x', ',', '-o', file, '-e', 'instructions', '-p', treeOf(pid).join(',')];
  const child = spawn('perf', args, { stdio: 'ignore' });
  const gone = new Promise((resolve) => child.once('exit', resolve).once('error', resolve));
  // Wait, because perf does not signal that it has started.
  await sleep(100);
  return async () => {
    child.kill('SIGINT');
    await gone;
    const count = /^(\d+),.*instructions/m.exec(readText(file));
    rmSync(folder, { recursive: true, force: true });
    return count === null ? Number.NaN : Number(count[1]);
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
