/** Checks whether a client may read or change the values that a request addresses. */
import type { IncomingMessage } from 'node:http';
import { isSluiceError, type ConfigPath } from '@sluice/base';
import type { Reconciler } from '@sluice/reconciler';
import { authorityOf, methodOf } from '../call.ts';
import type { Destination } from '../config/destination.ts';
import type { Precondition } from '../config/entity-tag.ts';
import { forbidden } from '../errors.ts';
import type { ConfigScope } from '../access/config-scope.ts';

/**
 * Returns the part of the configuration that the client may access with the method of this request. Returns `null` for the entire
 * configuration.
 */
export function scopeOf(request: IncomingMessage, reconciler: Reconciler): ConfigScope | null {
  return authorityOf(request).scopeOf(methodOf(request), reconciler);
}

/** Rejects destinations outside the client's scope. The response does not reveal whether the object exists. */
export function checkDestination(scope: ConfigScope | null, destination: Destination): void {
  if (scope === null) return;
  let path: ConfigPath | null = null;
  try {
    path = destination.locate();
  } catch (error) {
    if (!isSluiceError(error)) throw error;
  }
  if (path === null || !scope.contains(path))
    throw forbidden('this part of the configuration is outside the scope of the token');
}

/** Rejects preconditions outside the client's scope. Otherwise, the response to a failed precondition would reveal a hash of a hidden value. */
export function checkPreconditionScope(scope: ConfigScope | null, { segments: [top, ...inside] }: Precondition): void {
  if (scope === null || (top === 'config' && scope.contains(inside))) return;
  throw forbidden('If-Match refers to a part of the configuration outside the scope of the token');
}
