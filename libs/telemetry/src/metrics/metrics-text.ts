/** The metrics of all threads as text, for whoever serves them. */
import type { ThreadBus } from '@sluice/threads';
import { gatherMetrics } from './gather.ts';
import { metricsFormatFor, renderMetrics } from './render.ts';

/** Metrics in the form that a client asked for. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

/** Gathers and writes the metrics; `accept` is the field of the request. */
export async function metricsText(
  bus: ThreadBus,
  accept: string | undefined,
  allowOpenMetrics = true,
): Promise<MetricsText> {
  const format = metricsFormatFor(accept, allowOpenMetrics);
  return { contentType: format.contentType, text: renderMetrics(await gatherMetrics(bus), format) };
}
