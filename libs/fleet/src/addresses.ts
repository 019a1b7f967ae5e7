/** Store URLs for `sluice run --fleet <address>`. Each store module provides one or more URL schemes. */
import type { JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';

/** A URL scheme for fleet stores, such as `etcd` in `etcd://host:port/cluster`. The contribution name is the scheme. */
export interface FleetAddress extends Contribution {
  /** Name of the store module in `sluice.fleet.stores`. */
  readonly engine: string;
  /** Store options that the scheme implies. The hosts, credentials, and query parameters in the URL set other options. */
  readonly options: JsonObject;
}

/** Contribution point for the URL schemes of fleet stores. */
export const fleetAddresses: ContributionPoint<FleetAddress> =
  contributionPoint<FleetAddress>('sluice.fleet.addresses');
