/** Side effects of handlers. They matter when a configuration that does not serve traffic processes requests. */

/** Methods without side effects (RFC 9110 §9.2.1) that upstreams commonly support. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

interface Methods {
  readonly method: string;
  readonly originalMethod: string;
}

const stateful: ReadonlySet<string> = new Set(
  ['cache', 'concurrency_limit', 'mirror', 'push', 'rate_limit', 'tracing'].map(idOf),
);

const pure: ReadonlySet<string> = new Set(
  [
    ...[
      'authentication',
      'copy_response',
      'copy_response_headers',
      'encode',
      'error',
      'headers',
      'intercept',
      'invoke',
    ],
    ...['log_append', 'map', 'replace_response', 'request_body', 'reverse_proxy', 'rewrite', 'static_response'],
    ...['subroute', 'timeouts', 'vars', 'waf'],
  ].map(idOf),
);

/** Returns the module ID of a handler. */
export function idOf(name: string): string {
  return `http.handlers.${name}`;
}

/** Reports whether a handler's effect depends on earlier requests, or whether the handler sends copies of requests. */
export function isStateful(id: string): boolean {
  return stateful.has(id);
}

/** Returns the reason why a handler must not receive a replayed or simulated request. Returns `null` if there is none. */
export function unsafeReason(id: string, { method, originalMethod }: Methods): string | null {
  if (safeMethods.has(method) && safeMethods.has(originalMethod)) return null;
  return `${id} may change data for ${originalMethod} requests`;
}

/** Reports whether a handler has no side effects for any method. The upstreams of a proxy may still have side effects. */
export function hasNoSideEffects(id: string): boolean {
  return pure.has(id);
}
