import type { PackageReference } from '@sluice/registry';
import { rolloutEvents } from './steps/events.ts';
import { rolloutMetrics } from './steps/metrics.ts';

export const reference: PackageReference = {
  events: Object.values(rolloutEvents),
  metrics: Object.values(rolloutMetrics),
};
