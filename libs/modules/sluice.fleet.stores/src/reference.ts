/** Reference documentation for the modules in this package. */
import type { JsonObject } from '@sluice/base';
import type { PackageReference } from '@sluice/registry';

const fleetOn = (store: JsonObject): JsonObject => ({
  admin: { fleet: { cluster: 'production', member: '{system.hostname}', store } },
});

export const reference: PackageReference = {
  examples: {
    'sluice.fleet.stores.etcd': fleetOn({ engine: 'etcd', endpoints: ['10.0.0.1:2379', '10.0.0.2:2379'] }),
    'sluice.fleet.stores.postgres': fleetOn({ engine: 'postgres', endpoints: ['10.0.0.1:5432'] }),
    'sluice.fleet.stores.redis': fleetOn({ engine: 'redis', endpoints: ['10.0.0.1:6379'], accept_loss: true }),
  },
};
