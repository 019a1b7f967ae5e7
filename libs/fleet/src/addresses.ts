/** How `sluice run --fleet <address>` names a store: the module of a store contributes the scheme of its addresses. */
import type { JsonObject } from '@sluice/base';
import { contributionPoint, type Contribution, type ContributionPoint } from '@sluice/registry';

/** A scheme, such as `etcd` of `etcd://host:port/cluster`; its name is the scheme. */
export interface FleetAddress extends Contribution {
  /** The module, in `sluice.fleet.stores`. */
  readonly engine: string;
  /** Options that the scheme stands for. Hosts, user and password, and what the query has, come beside these. */
  readonly options: JsonObject;
}

/** The schemes that there are. */
export const fleetAddresses: ContributionPoint<FleetAddress> =
  contributionPoint<FleetAddress>('sluice.fleet.addresses');
