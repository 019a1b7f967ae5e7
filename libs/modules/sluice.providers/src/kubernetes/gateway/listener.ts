/** A Gateway listener, as seen by routes. */
import type { GatewayListener } from '../objects.ts';
import type { Finding } from './conditions.ts';

export interface RouteKind {
  readonly group: string;
  readonly kind: string;
}

export interface Listener {
  readonly gateway: string;
  readonly namespace: string;
  readonly name: string;
  /** Address and port. */
  readonly listen: string;
  readonly port: number;
  readonly scheme: 'http' | 'https';
  /** `''` = all. */
  readonly hostname: string;
  /** True if its routes are served. */
  readonly isServed: boolean;
  readonly kinds: readonly RouteKind[];
  readonly allowed: NonNullable<NonNullable<GatewayListener['allowedRoutes']>['namespaces']>;
  readonly findings: readonly Finding[];
  readonly certificates: readonly CertificatePair[];
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
