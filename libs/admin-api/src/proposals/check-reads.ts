/** Access to results that reveal parts of the configuration. */
import type { AdminRequest } from '@sluice/registry';
import type { ApiOptions } from '../api-options.ts';
import { authorityOf } from '../call.ts';
import { forbidden } from '../errors.ts';

/** Throws with status 403 if the client may not read the whole configuration: patches and reports would reveal hidden parts. */
export function checkReadsAll(request: AdminRequest, { reconciler }: ApiOptions, purpose: string): void {
  const authority = authorityOf(request);
  const scope = authority.scopeOf('GET', reconciler);
  if (scope !== null && !scope.contains([]))
    throw forbidden(`${authority.name ?? 'this client'} may not read the whole configuration, so it cannot ${purpose}`);
}
