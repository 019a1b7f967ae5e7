/** Resource usage of processes: memory, and CPU time to the nanosecond (Linux). */
import { readdirSync, readFileSync } from 'node:fs';

/** Resident memory of a process and its children, in MiB. */
export function residentMemory(pid: number): number {
  let total = 0;
  for (const id of treeOf(pid)) total += Number(/VmRSS:\s+(\d+)/.exec(readText(`/proc/${id}/status`))?.[1] ?? 0);
  return total / 1024;
}

/** Memory of a process and its children in MiB, in which shared pages count proportionally (PSS). */
export function proportionalMemory(pid: number): number {
  let total = 0;
  for (const id of treeOf(pid)) total += Number(/\nPss:\s+(\d+)/.exec(readText(`/proc/${id}/smaps_rollup`))?.[1] ?? 0);
  return total / 1024;
}

/** CPU time that a process and its children have used in all threads, in microseconds. */
export function processorTime(pid: number): number {
  let nanoseconds = 0;
  for (const id of treeOf(pid))
    for (const thread of threadsOf(id))
      nanoseconds += Number(readText(`/proc/${id}/task/${thread}/schedstat`).split(' ')[0] ?? 0);
  return nanoseconds / 1000;
}

/** Returns a process and its children. */
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
