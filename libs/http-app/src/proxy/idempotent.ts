/** Methods whose requests may be sent twice: the second time changes nothing more (RFC 9110 §9.2.2). */
export const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT', 'DELETE']);
