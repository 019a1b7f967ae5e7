/** The schemes of `sluice run --fleet <address>` that these stores have. */
import type { FleetAddress } from '@sluice/fleet/register';

/** By their names. */
export const addresses: readonly FleetAddress[] = [
  { name: 'etcd', engine: 'etcd', options: {} },
  { name: 'etcds', engine: 'etcd', options: { tls: {} } },
  { name: 'redis', engine: 'redis', options: {} },
  { name: 'rediss', engine: 'redis', options: { tls: {} } },
  { name: 'postgres', engine: 'postgres', options: {} },
  { name: 'postgresql', engine: 'postgres', options: {} },
];
