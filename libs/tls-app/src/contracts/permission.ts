/** Interface that permission modules implement. They decide for which names on-demand certificates may be obtained. */
import { namespace, type Namespace } from '@sluice/registry';

/** Called in the control thread before an on-demand certificate is obtained. Provisioned in the same way as issuers. */
export interface Permission {
  /** Reports whether a certificate may be obtained for the name. If the promise rejects, permission is denied. */
  allows(name: string, signal: AbortSignal): Promise<boolean>;
}

/** Namespace `tls.permission` for permission modules. The inline key is `module`. */
export const permissions: Namespace<Permission> = namespace<Permission>('tls.permission');
