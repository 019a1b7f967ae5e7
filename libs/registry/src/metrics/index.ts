/** Figures: kept by thread, merged and rendered on demand. */
export * from './families.ts';
export { gatherMetrics, metricsToken, shareMetrics } from './gather.ts';
export { mergeMetrics } from './merge.ts';
export * from './render.ts';
export { addMetricsRoute } from './admin-routes.ts';
export { metricsText, type MetricsText } from './metrics-text.ts';
export { countReloads } from './reload-figures.ts';
export { collectProcess } from './process-figures.ts';
export { collectThread } from './thread-figures.ts';
