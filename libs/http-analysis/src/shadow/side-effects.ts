/** Side effects of handlers, for requests that are sent through a configuration which does not serve. */

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

/** Reports whether the effect of a handler depends on earlier requests, or whether it sends copies. */
export function isStateful(id: string): boolean {
  return stateful.has(id);
}

/** Returns why a handler must not receive a request that no client sent, or `null`. */
export function unsafeReason(id: string, { method, originalMethod }: Methods): string | null {
  if (safeMethods.has(method) && safeMethods.has(originalMethod)) return null;
  return `${id} may change data for ${originalMethod} requests`;
}

/** Reports whether a handler has no side effects, whatever the method. The upstreams of a proxy may have some. */
export function hasNoSideEffects(id: string): boolean {
  return pure.has(id);
}
