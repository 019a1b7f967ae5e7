/** Resource usage of processes on Linux: memory, and CPU time with nanosecond resolution. */
import { readdirSync, readFileSync } from 'node:fs';

/** Returns the resident memory of a process and its children, in MiB. */
export function residentMemory(pid: number): number {
  let total = 0;
  for (const id of treeOf(pid)) total += Number(/VmRSS:\s+(\d+)/.exec(readText(`/proc/${id}/status`))?.[1] ?? 0);
  return total / 1024;
}

/** Returns the proportional memory (PSS) of a process and its children, in MiB. Shared pages are divided among the processes that use them. */
export function proportionalMemory(pid: number): number {
  let total = 0;
  for (const id of treeOf(pid)) total += Number(/\nPss:\s+(\d+)/.exec(readText(`/proc/${id}/smaps_rollup`))?.[1] ?? 0);
  return total / 1024;
}

/** Returns the CPU time of all threads of a process and its children, in microseconds. */
export function processorTime(pid: number): number {
  let nanoseconds = 0;
  for (const id of treeOf(pid))
    for (const thread of threadsOf(id))
      nanoseconds += Number(readText(`/proc/${id}/task/${thread}/schedstat`).split(' ')[0] ?? 0);
  return nanoseconds / 1000;
}

/** Returns the IDs of a process and its children. */
export function treeOf(pid: number): number[] {
  const children = readText(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
  return [pid, ...children.flatMap(treeOf)];
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
