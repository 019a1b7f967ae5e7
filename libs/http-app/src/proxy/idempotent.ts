/** Methods that are safe to retry because repeating the request has no additional effect (RFC 9110 §9.2.2). */
export const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
