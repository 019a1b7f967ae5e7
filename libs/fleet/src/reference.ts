/** What this package says in the reference. */
import type { PackageReference } from '@sluice/registry';
import { fleetMetrics } from './membership/metrics.ts';

/** Of this package. */
export const reference: PackageReference = { metrics: Object.values(fleetMetrics) };
