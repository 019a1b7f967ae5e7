/** Decides which rejected fragments a change of the configuration may make valid. */
import { parsePointer } from '@sluice/base';
import type { PatchOperation } from '@sluice/registry';
import type { Rejected } from './provider-state.ts';

/** Maximum number of fragments with invalid routes that are tried again after a change of the document. */
const maxRouteErrors = 16;

/** Options of HTTP servers that have no effect on other servers. */
const ownOptions: ReadonlySet<string> = new Set([
  'routes',
  'errors',
  'named_routes',
  'tls_connection_policies',
  'listener_wrappers',
]);

/** Reports whether an operation may end a conflict between servers, such as two servers with the same address. */
export function maySettleConflict({ op, path }: PatchOperation): boolean {
  const [apps = 'apps', app = 'http', servers = 'servers', , option] = parsePointer(path);
  if (apps !== 'apps' || servers !== 'servers' || (app !== 'http' && app !== 'layer4')) return false;
  if (option === undefined) return op !== 'add';
  // A layer 4 server whose routes all match TLS connections can share the address of an HTTP server.
  return app === 'layer4' || !ownOptions.has(String(option));
}

/**
 * Returns the keys of fragments to try again. An error in a route does not depend on other servers, so such fragments are only tried after
 * a change of the document, which may contain parts that the route refers to.
 */
export function retriedKeys(rejected: ReadonlyMap<string, Rejected>, isDocumentChange: boolean): readonly string[] {
  const [ofRoutes, others]: [string[], string[]] = [[], []];
  for (const [key, { isInRoute }] of rejected) (isInRoute ? ofRoutes : others).push(key);
  // The order is that of the rejections, so later changes try the other fragments.
  return isDocumentChange ? [...others, ...ofRoutes.slice(0, maxRouteErrors)] : others;
}
