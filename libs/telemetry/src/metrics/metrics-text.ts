/** Renders the metrics of all threads as text. */
import type { ThreadBus } from '@sluice/threads';
import { gatherMetrics } from './gather.ts';
import { metricsFormatFor, renderMetrics } from './render.ts';

/** Rendered metrics and their format. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** Collects and renders the metrics. `accept` is the value of the `Accept` header. */
export async function metricsText(
  bus: ThreadBus,
  accept: string | undefined,
  allowOpenMetrics = true,
): Promise<MetricsText> {
  const format = metricsFormatFor(accept, allowOpenMetrics);
  return { contentType: format.contentType, text: renderMetrics(await gatherMetrics(bus), format) };
}
