/** Contract of permissions for on-demand certificates. */
import { namespace, type Namespace } from '@sluice/registry';

/** Called before an on-demand certificate is obtained. Provisioned like issuers, and called in the control thread. */
export interface Permission {
  /** Reports whether the name may have a certificate. A rejection counts as a denial. */
  allows(name: string, signal: AbortSignal): Promise<boolean>;
}

/** `tls.permission`: inline key `module`. */
export const permissions: Namespace<Permission> = namespace<Permission>('tls.permission');
