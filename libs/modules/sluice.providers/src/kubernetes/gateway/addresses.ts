/** Assigns server addresses to Gateways. */
import { ageOf, keyOf, type Gateway } from '../objects.ts';
import { compareText } from '@sluice/base';

/** Reasons of the `Accepted` condition that prevent a Gateway from being served at all. */
export const rejectingReasons: ReadonlySet<string> = new Set(['InvalidParameters', 'UnsupportedAddress']);

export interface Assignment {
  /** Address on which the Gateway listens. Empty means all addresses. */
  readonly listen: string;
  /** Addresses to publish in the Gateway's status. */
  readonly published: readonly string[];
  /** Reason why the Gateway has no address, or `null` if it has one. */
  readonly problem: { readonly reason: string; readonly message: string } | null;
}

/**
 * Assigns an address from a pool to each Gateway. The order of preference is the requested address, the address in the Gateway's status,
 * and the first unused address. If the pool is empty, all Gateways listen on all addresses.
 *
 * Older Gateways come first, so that all replicas of the server compute the same result.
 */
export function assignAddresses(
  gateways: Iterable<Gateway>,
  pool: readonly string[],
  published: readonly string[],
): ReadonlyMap<string, Assignment> {
  const sorted = [...gateways].sort((a, b) => compareText(ageOf(a), ageOf(b)));
  const assigned = new Map<string, Assignment>();
  const used = new Set<string>();
  const assign = (gateway: Gateway, address: string): void => {
    used.add(address);
    assigned.set(keyOf(gateway), { listen: address, published: [address], problem: null });
  };
  for (const gateway of sorted) {
    const requested = (gateway.spec.addresses ?? []).filter(({ value }) => value !== undefined && value !== '');
    const unsupported = requested.find(({ type = 'IPAddress' }) => type !== 'IPAddress');
    if (gateway.spec.infrastructure?.parametersRef !== undefined)
      assigned.set(keyOf(gateway), without('InvalidParameters', 'infrastructure.parametersRef is not supported'));
    else if (unsupported !== undefined)
      assigned.set(
        keyOf(gateway),
        without('UnsupportedAddress', `address type ${unsupported.type ?? ''} is not supported`),
      );
    else if (pool.length === 0) assigned.set(keyOf(gateway), { listen: '', published, problem: null });
    else {
      const wanted = requested.map(({ value = '' }) => value);
      const [first] = wanted;
      const unusable = wanted.find((value) => !pool.includes(value) || used.has(value));
      if (unusable !== undefined)
        assigned.set(keyOf(gateway), without('AddressNotUsable', `address ${unusable} is not available`));
      else if (first !== undefined) assign(gateway, first);
    }
  }
  const others = sorted.filter((gateway) => !assigned.has(keyOf(gateway)));
  for (const gateway of others) {
    const kept = gateway.status?.addresses?.find(({ value = '' }) => pool.includes(value) && !used.has(value))?.value;
    if (kept !== undefined) assign(gateway, kept);
  }
  for (const gateway of others.filter((each) => !assigned.has(keyOf(each)))) {
    const free = pool.find((address) => !used.has(address));
    if (free === undefined)
      assigned.set(keyOf(gateway), without('AddressNotAssigned', 'all addresses of the server are in use'));
    else assign(gateway, free);
  }
  return assigned;
}

function without(reason: string, message: string): Assignment {
  return { listen: '', published: [], problem: { reason, message } };
}
