import type { PackageReference } from '@sluice/registry';
import { fleetMetrics } from './membership/metrics.ts';

export const reference: PackageReference = { metrics: Object.values(fleetMetrics) };
