/** Status of Ingresses. */
import { jsonEqual, type Json } from '@sluice/base';
import { isIP } from 'node:net';
import type { Ingress, LoadBalancerAddress } from './objects.ts';

/** Returns the addresses of a list of IP addresses and host names. */
export function addressesFor(texts: readonly string[]): readonly LoadBalancerAddress[] {
  return texts.map((text) => (isIP(text) === 0 ? { hostname: text } : { ip: text }));
}

/** Returns a status patch; `null` if the status of the Ingress is current. */
export function statusPatch(ingress: Ingress, addresses: readonly LoadBalancerAddress[]): Json {
  const existing = (ingress.status?.loadBalancer?.ingress ?? []) as unknown as Json;
  const wanted = addresses as unknown as Json;
  if (jsonEqual(existing, wanted)) return null;
  return {
    metadata: { resourceVersion: ingress.metadata.resourceVersion ?? '' },
    status: { loadBalancer: { ingress: wanted } },
  };
}
