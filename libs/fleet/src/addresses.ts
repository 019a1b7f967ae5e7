/** Store addresses for `sluice run --fleet <address>`. Each store module contributes its URL scheme. */
import type { JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';

/** A URL scheme, such as `etcd` in `etcd://host:port/cluster`. The contribution name is the scheme. */
export interface FleetAddress extends Contribution {
  /** Module name in `sluice.fleet.stores`. */
  readonly engine: string;
  /** Options that the scheme implies. Hosts, credentials and query parameters of the URL are added. */
  readonly options: JsonObject;
}

/** Contribution point for store URL schemes. */
export const fleetAddresses: ContributionPoint<FleetAddress> =
  contributionPoint<FleetAddress>('sluice.fleet.addresses');
