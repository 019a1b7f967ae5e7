/** Contract of permissions: whether a certificate may be obtained on demand. */
import { namespace, type Namespace } from '@sluice/registry';

/** Asked before a certificate on demand is obtained. Provisioned where issuers are, and called in the control thread. */
export interface Permission {
  /** Whether the name may have a certificate. Rejects when that could not be found out, which means no. */
  allows(name: string, signal: AbortSignal): Promise<boolean>;
}

/** `tls.permission`: inline key `module`. */
export const permissions: Namespace<Permission> = namespace<Permission>('tls.permission');
