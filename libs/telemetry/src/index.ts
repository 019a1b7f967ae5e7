/** What the server tells of itself: logs, metrics, events, profiles. */
export { shareDebug } from './debug/thread-debug.ts';
export { cloudEvent, type CloudEvent } from './events/cloud-event.ts';
export { EventHub, eventHubToken, serverEvent, type EventData, type ServerEvent } from './events/hub.ts';
export { recordFaults } from './faults/fault-record.ts';
export { DropReport } from './logging/drop-report.ts';
export { OpenOutputs } from './logging/open-outputs.ts';
export { RemoteOutputs } from './logging/remote-outputs.ts';
export { LogRouter, logRouterToken } from './logging/router.ts';
export { declareCounter, declareGauge, declareHistogram, type FamilyDescription } from './metrics/declare.ts';
export { Family, Metrics, Series, maxSeries, type MetricsSnapshot } from './metrics/families.ts';
export { gatherMetrics, metricsToken, shareMetrics } from './metrics/gather.ts';
export { mergeMetrics } from './metrics/merge.ts';
export { metricsText } from './metrics/metrics-text.ts';
export { collectProcess } from './metrics/process-metrics.ts';
export { metricsFormatFor, renderMetrics } from './metrics/render.ts';
export { collectThread } from './metrics/thread-metrics.ts';
export { register } from './register.ts';
