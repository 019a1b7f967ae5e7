import type { PackageReference } from '@sluice/registry';
import { configChanged, configRefused } from './events/emit-changes.ts';
import { faultMetric } from './faults/fault-record.ts';
import { processMetrics } from './metrics/process-metrics.ts';
import { reloadMetrics } from './metrics/reload-metrics.ts';
import { threadMetrics } from './metrics/thread-metrics.ts';

export const reference: PackageReference = {
  examples: {
    logging: {
      logging: {
        logs: { default: { writer: { output: 'stdout' }, encoder: { format: 'json' }, level: 'WARN' } },
      },
    },
  },
  events: [configChanged, configRefused],
  metrics: [
    ...Object.values(processMetrics),
    ...Object.values(threadMetrics),
    ...Object.values(reloadMetrics),
    faultMetric,
  ],
};
