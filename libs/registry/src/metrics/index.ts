/** Figures: kept by thread, merged and rendered on demand. */
import { token, type Token } from '../modules/namespace.ts';
import { question, type Question, type ThreadBus } from '../threads/bus.ts';
import { mergeMetrics, type Metrics, type MetricsSnapshot } from './families.ts';

export * from './families.ts';
export * from './render.ts';

/** The figures of a thread: `context.use(metricsToken)`. */
export const metricsToken: Token<Metrics> = token<Metrics>('metrics');

const ofThread: Question<null, MetricsSnapshot> = question('metrics.thread');
const ofAll: Question<null, MetricsSnapshot> = question('metrics.all');

/** Lets a thread answer for its figures; the control thread also for those of all. Called when a thread is assembled. */
export function shareMetrics(metrics: Metrics, bus: ThreadBus): void {
  bus.onGather(ofThread, () => metrics.snapshot());
  if (bus.thread === 0) bus.onAsk(ofAll, async () => mergeMetrics(await bus.gather(ofThread, null)));
}

/** The figures of all threads together, from any thread. */
export function gatherMetrics(bus: ThreadBus): Promise<MetricsSnapshot> {
  return bus.ask(ofAll, null);
}
