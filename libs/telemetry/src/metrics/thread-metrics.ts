/** JavaScript engine metrics of a thread: memory and event loop. They replace Caddy's `go_…` metrics. */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { declareCounter, declareGauge, type FamilyDescription } from './declare.ts';
import type { Metrics, Series } from './families.ts';

const thread = ['thread'];

export const threadMetrics = {
  total: declareGauge('nodejs_heap_size_total_bytes', 'Heap size allocated from the system, in bytes.', thread),
  used: declareGauge('nodejs_heap_size_used_bytes', 'Heap size in use, in bytes.', thread),
  limit: declareGauge('nodejs_heap_size_limit_bytes', 'Maximum heap size, in bytes.', thread),
  external: declareGauge(
    'nodejs_external_memory_bytes',
    'Memory used by objects outside the V8 heap, such as buffers, in bytes.',
    thread,
  ),
  contexts: declareGauge(
    'nodejs_native_contexts',
    'Number of native V8 contexts. A steadily growing number indicates a memory leak.',
    thread,
  ),
  active: declareCounter(
    'nodejs_eventloop_active_seconds_total',
    'Total time that the event loop spent running callbacks, in seconds.',
    thread,
  ),
  idle: declareCounter(
    'nodejs_eventloop_idle_seconds_total',
    'Total time that the event loop spent waiting for events, in seconds.',
    thread,
  ),
};

/** Registers the engine metrics of the calling thread. The `thread` label is the thread number. */
export function collectThread(metrics: Metrics, number: number): void {
  const label = String(number);
  const of = threadMetrics;
  const seriesOf = (family: FamilyDescription): Series => metrics.family(family).with(label);
  const [total, used, limit] = [seriesOf(of.total), seriesOf(of.used), seriesOf(of.limit)];
  const [external, contexts] = [seriesOf(of.external), seriesOf(of.contexts)];
  const [active, idle] = [seriesOf(of.active), seriesOf(of.idle)];
  metrics.onCollect(() => {
    const heap = getHeapStatistics();
    total.set(heap.total_heap_size);
    used.set(heap.used_heap_size);
    limit.set(heap.heap_size_limit);
    external.set(heap.external_memory);
    contexts.set(heap.number_of_native_contexts);
    const loop = performance.eventLoopUtilization();
    active.set(loop.active / 1000);
    idle.set(loop.idle / 1000);
  });
}
