/** Schemes of `sluice run --fleet <address>` that these stores support. */
import type { FleetAddress } from '@sluice/fleet/register';

/** Addresses by scheme. */
export const addresses: readonly FleetAddress[] = [
  { name: 'etcd', engine: 'etcd', options: {} },
  { name: 'etcds', engine: 'etcd', options: { tls: {} } },
  { name: 'redis', engine: 'redis', options: {} },
  { name: 'rediss', engine: 'redis', options: { tls: {} } },
  { name: 'postgres', engine: 'postgres', options: {} },
  { name: 'postgresql', engine: 'postgres', options: {} },
];
