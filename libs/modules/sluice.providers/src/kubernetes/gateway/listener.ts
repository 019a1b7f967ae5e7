/** A Gateway listener, as seen by routes. */
import { jsonEqual, type Json } from '@sluice/base';
import type { GatewayListener } from '../objects.ts';
import type { Finding } from './conditions.ts';

export interface RouteKind {
  readonly group: string;
  readonly kind: string;
}

export interface Listener {
  readonly gateway: string;
  /** Key of the object that has the listener: of the Gateway, or of a ListenerSet ({@link listenerSetKey}). */
  readonly parent: string;
  readonly namespace: string;
  readonly name: string;
  /** Address and port. */
  readonly listen: string;
  readonly port: number;
  readonly protocol: string;
  readonly scheme: 'http' | 'https';
  /** True for listeners that forward TLS connections without terminating TLS. */
  readonly isPassthrough: boolean;
  /** `''` = all. */
  readonly hostname: string;
  /** True if its routes are served. */
  readonly isServed: boolean;
  readonly kinds: readonly RouteKind[];
  readonly allowed: NonNullable<NonNullable<GatewayListener['allowedRoutes']>['namespaces']>;
  readonly findings: readonly Finding[];
  readonly certificates: readonly CertificatePair[];
  /** `null` = clients are not asked for a certificate. */
  readonly clientValidation: ClientValidation | null;
  /** Certificate that the Gateway presents to backends. */
  readonly backendCertificate: Pick<CertificatePair, 'certificate' | 'key'> | null;
}

export interface ClientValidation {
  /** DER, base64-encoded. */
  readonly authorities: readonly string[];
  /** False = clients without a valid certificate are accepted. */
  readonly isRequired: boolean;
}

export interface CertificatePair {
  /** PEM. */
  readonly certificate: string;
  readonly key: string;
  /** First name in the certificate. Empty if none exists. */
  readonly name: string;
  /** Certificate tag: the fingerprint, since the server loads a certificate in several Secrets only once. */
  readonly tag: string;
}

const setPrefix = 'listenerset/';

/** Returns the key of a ListenerSet among the parents of routes, which are Gateways otherwise. */
export function listenerSetKey(key: string): string {
  return `${setPrefix}${key}`;
}

export function areSameListeners(one: readonly Listener[] | undefined, other: readonly Listener[]): boolean {
  return jsonEqual(one as unknown as Json, other as unknown as Json);
}

/** Returns `namespace/name` of a ListenerSet, or `null` for the key of a Gateway. */
function listenerSetOf(parent: string): string | null {
  return parent.startsWith(setPrefix) ? parent.slice(setPrefix.length) : null;
}

/** Returns the name of a listener among all those of a Gateway and its ListenerSets. */
export function listenerId({ gateway, parent, name }: Listener): string {
  return parent === gateway ? name : `${parent}/${name}`;
}

/** Returns the object and the listener, for messages. */
export function describeListener({ parent, name }: Listener): string {
  const set = listenerSetOf(parent);
  return set === null ? `Gateway ${parent}, listener ${name}` : `ListenerSet ${set}, listener ${name}`;
}
