/** Debug information of a thread. It is collected only on request. */
import { mkdtempSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics, writeHeapSnapshot } from 'node:v8';
import { question, type Question, type ThreadBus } from '@sluice/threads';

const window = 500;

/** Current statistics of a thread. Times are in milliseconds. */
export interface ThreadVars {
  readonly thread: number;
  readonly event_loop: {
    /** Event loop utilization: 0 means idle, and 1 means continuously busy. */
    readonly utilization: number;
    readonly delay_mean: number;
    readonly delay_p99: number;
    readonly delay_max: number;
  };
  readonly heap: Readonly<Record<string, number>>;
}

/** Requests statistics from all threads. */
export const threadVars: Question<null, ThreadVars> = question('debug.vars');

/** Requests a CPU profile from one thread, in V8's JSON format. The other threads respond with `null`. */
export const threadProfile: Question<{ readonly thread: number; readonly seconds: number }, string | null> =
  question('debug.profile');

/** Requests a heap snapshot from one thread, in V8's format. The response is the file path. */
export const threadHeap: Question<{ readonly thread: number }, string | null> = question('debug.heap');

/** Registers the thread's handlers for debug requests. Called during thread setup. */
export function shareDebug(bus: ThreadBus): void {
  bus.onGather(threadVars, () => varsOf(bus.thread));
  bus.onGather(threadProfile, async ({ thread, seconds }) => (thread === bus.thread ? profile(seconds) : null));
  bus.onGather(threadHeap, ({ thread }) => (thread === bus.thread ? writeHeap() : null));
}

async function varsOf(thread: number): Promise<ThreadVars> {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  const before = performance.eventLoopUtilization();
  delays.enable();
  await sleep(window);
  delays.disable();
  const { utilization } = performance.eventLoopUtilization(before);
  const milliseconds = (nanoseconds: number): number => (Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : 0);
  return {
    thread,
    event_loop: {
      utilization,
      delay_mean: milliseconds(delays.mean),
      delay_p99: milliseconds(delays.percentile(99)),
      delay_max: milliseconds(delays.max),
    },
    heap: { ...getHeapStatistics() } as unknown as Record<string, number>,
  };
}

async function profile(seconds: number): Promise<string> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await sleep(seconds * 1000);
    return JSON.stringify((await session.post('Profiler.stop')).profile);
  } finally {
    session.disconnect();
  }
}

/** Create a new directory that only this user can access, because a heap snapshot contains all secrets of the server. */
function writeHeap(): string {
  return writeHeapSnapshot(join(mkdtempSync(join(tmpdir(), 'sluice-heap-')), 'heap.heapsnapshot'));
}
