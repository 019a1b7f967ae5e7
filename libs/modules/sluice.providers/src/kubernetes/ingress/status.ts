/** Status of Ingresses. */
import { jsonEqual, type Json } from '@sluice/base';
import { isIP } from 'node:net';
import type { Ingress, LoadBalancerAddress } from './objects.ts';

/** Converts IP addresses and host names to load balancer addresses. */
export function addressesFor(texts: readonly string[]): readonly LoadBalancerAddress[] {
  return texts.map((text) => (isIP(text) === 0 ? { hostname: text } : { ip: text }));
}

/** Returns a status patch, or `null` if the status of the Ingress is up to date. */
export function statusPatch(ingress: Ingress, addresses: readonly LoadBalancerAddress[]): Json {
  const existing = (ingress.status?.loadBalancer?.ingress ?? []) as unknown as Json;
  const wanted = addresses as unknown as Json;
  if (jsonEqual(existing, wanted)) return null;
  return {
    metadata: { resourceVersion: ingress.metadata.resourceVersion ?? '' },
    status: { loadBalancer: { ingress: wanted } },
  };
}
