/** Metrics of a thread's JavaScript: memory and event loop. They take the place of the reference's `go_…`. */
import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Metrics } from './families.ts';

/** Keeps the metrics of the calling thread; their label `thread` is its number. */
export function collectThread(metrics: Metrics, thread: number): void {
  const label = String(thread);
  const gauge = (name: string, help: string): ((value: number) => void) => {
    const series = metrics.gauge(name, help, ['thread']).with(label);
    return (value) => series.set(value);
  };
  const counter = (name: string, help: string): ((value: number) => void) => {
    const series = metrics.counter(name, help, ['thread']).with(label);
    return (value) => series.set(value);
  };
  const total = gauge('nodejs_heap_size_total_bytes', 'Heap that the engine has taken from the system.');
  const used = gauge('nodejs_heap_size_used_bytes', 'Heap in use.');
  const limit = gauge('nodejs_heap_size_limit_bytes', 'Heap that the engine may take.');
  const external = gauge('nodejs_external_memory_bytes', 'Memory of objects outside of the heap, such as buffers.');
  const contexts = gauge('nodejs_native_contexts', 'Contexts of the engine; a number that grows is a leak.');
  const active = counter('nodejs_eventloop_active_seconds_total', 'Time that the event loop has run callbacks.');
  const idle = counter('nodejs_eventloop_idle_seconds_total', 'Time that the event loop has waited for events.');
  metrics.onCollect(() => {
    const heap = getHeapStatistics();
    total(heap.total_heap_size);
    used(heap.used_heap_size);
    limit(heap.heap_size_limit);
    external(heap.external_memory);
    contexts(heap.number_of_native_contexts);
    const loop = performance.eventLoopUtilization();
    active(loop.active / 1000);
    idle(loop.idle / 1000);
  });
}
