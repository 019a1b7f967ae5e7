/** Fleet stores, in the namespace `sluice.fleet.stores`. */
import { fleetAddresses } from '@sluice/fleet/register';
import { references, type Registry } from '@sluice/registry';
import { addresses } from './addresses.ts';
import { modules } from './module-index.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.contribute(fleetAddresses, ...addresses);
  registry.contribute(references, { name: '@sluice/sluice.fleet.stores', load: () => import('./reference.ts') });
}
