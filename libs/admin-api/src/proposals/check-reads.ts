/** Access check for results that reveal parts of the configuration. */
import type { AdminRequest } from '@sluice/registry';
import type { ApiOptions } from '../api-options.ts';
import { authorityOf } from '../call.ts';
import { forbidden } from '../errors.ts';

/** Throws an error with status 403 if the client may not read the entire configuration. Patches and reports would reveal the hidden parts. */
export function checkReadsAll(request: AdminRequest, { reconciler }: ApiOptions, purpose: string): void {
  const authority = authorityOf(request);
  const scope = authority.scopeOf('GET', reconciler);
  if (scope !== null && !scope.contains([]))
    throw forbidden(
      `${authority.name ?? 'this client'} does not have permission to read the whole configuration, so it cannot ${purpose}`,
    );
}
