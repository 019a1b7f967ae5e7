/** A Gateway listener, with the properties that routes depend on. */
import { jsonEqual, type Json } from '@sluice/base';
import type { GatewayListener } from '../objects.ts';
import type { Finding } from './conditions.ts';

export interface RouteKind {
  readonly group: string;
  readonly kind: string;
}

export interface Listener {
  readonly gateway: string;
  /** Key of the object that contains the listener. It is a Gateway key, or a ListenerSet key ({@link listenerSetKey}). */
  readonly parent: string;
  readonly namespace: string;
  readonly name: string;
  /** Address and port. */
  readonly listen: string;
  readonly port: number;
  readonly protocol: string;
  readonly scheme: 'http' | 'https';
  /** True if the listener forwards TLS connections without decrypting them. */
  readonly isPassthrough: boolean;
  /** Hostname of the listener. The empty string matches all hostnames. */
  readonly hostname: string;
  /** Hostnames of HTTPS listeners on the same port. They take precedence over this TLS listener. */
  readonly reserved: readonly string[];
  /** True if routes that are attached to the listener are served. */
  readonly isServed: boolean;
  readonly kinds: readonly RouteKind[];
  readonly allowed: NonNullable<NonNullable<GatewayListener['allowedRoutes']>['namespaces']>;
  readonly findings: readonly Finding[];
  readonly certificates: readonly CertificatePair[];
  /** Client certificate validation, or `null` if the listener does not request client certificates. */
  readonly clientValidation: ClientValidation | null;
  /** Certificate that the Gateway presents to backends, or `null` if there is none. */
  readonly backendCertificate: Pick<CertificatePair, 'certificate' | 'key'> | null;
}

export interface ClientValidation {
  readonly authorities: readonly string[];
  /** True if clients must present a valid certificate. */
  readonly isRequired: boolean;
}

export interface CertificatePair {
  readonly certificate: string;
  readonly key: string;
  /** First name in the certificate. Empty if the certificate has no name. */
  readonly name: string;
  /** Tag of the certificate: its fingerprint. The server loads a certificate only once, even if several Secrets contain it. */
  readonly tag: string;
}

const setPrefix = 'listenerset/';

/** Returns the parent key of a ListenerSet, which differs from the keys of Gateways. */
export function listenerSetKey(key: string): string {
  return `${setPrefix}${key}`;
}

export function areSameListeners(one: readonly Listener[] | undefined, other: readonly Listener[]): boolean {
  return jsonEqual(one as unknown as Json, other as unknown as Json);
}

/** Returns the `namespace/name` of a ListenerSet, or `null` for the key of a Gateway. */
function listenerSetOf(parent: string): string | null {
  return parent.startsWith(setPrefix) ? parent.slice(setPrefix.length) : null;
}

/** Returns a listener name that is unique within a Gateway and its ListenerSets. */
export function listenerId({ gateway, parent, name }: Listener): string {
  return parent === gateway ? name : `${parent}/${name}`;
}

/** Returns a description of the listener and its parent for messages. */
export function describeListener({ parent, name }: Listener): string {
  const set = listenerSetOf(parent);
  return set === null ? `Gateway ${parent}, listener ${name}` : `ListenerSet ${set}, listener ${name}`;
}
