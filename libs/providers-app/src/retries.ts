/** Determines which rejected fragments may become valid after a configuration change. */
import { parsePointer } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import type { Rejected } from './provider-state.ts';

/** Maximum number of fragments with invalid routes to retry after a change to the document. */
const maxRouteErrors = 16;

/** HTTP server options that have no effect on other servers. */
const ownOptions: ReadonlySet<string> = new Set([
  'routes',
  'errors',
  'named_routes',
  'tls_connection_policies',
  'listener_wrappers',
]);

/** Reports whether an operation could resolve a conflict between servers, such as two servers that listen on the same address. */
export function maySettleConflict({ op, path }: PatchOperation): boolean {
  const [apps = 'apps', app = 'http', servers = 'servers', , option] = parsePointer(path);
  if (apps !== 'apps' || servers !== 'servers' || (app !== 'http' && app !== 'layer4')) return false;
  if (option === undefined) return op !== 'add';
  // A layer 4 server whose routes all match TLS connections can share an address with an HTTP server.
  return app === 'layer4' || !ownOptions.has(String(option));
}

/**
 * Returns the keys of fragments to retry. An error in a route doesn't depend on other servers. Fragments with such errors are therefore
 * retried only after a change to the document, which may add parts that the route references.
 */
export function retriedKeys(rejected: ReadonlyMap<string, Rejected>, isDocumentChange: boolean): readonly string[] {
  const [ofRoutes, others]: [string[], string[]] = [[], []];
  for (const [key, { isInRoute }] of rejected) (isInRoute ? ofRoutes : others).push(key);
  // Fragments are sorted by the time of their rejection. Later changes retry the remaining fragments.
  return isDocumentChange ? [...others, ...ofRoutes.slice(0, maxRouteErrors)] : others;
}
