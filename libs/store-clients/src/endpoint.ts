/** Where a server of an engine is. */

/** A host, or the path of a socket, and a port. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Reads `host`, `host:port` and `[address]:port`. */
export function readEndpoint(text: string, port: number): Endpoint {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return { host: text, port };
  return { host, port: digits === undefined ? port : Number(digits) };
}
