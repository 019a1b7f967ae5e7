/** A host or socket path, and a port. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Parses `host`, `host:port` and `[address]:port`. */
export function readEndpoint(text: string, port: number): Endpoint {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return { host: text, port };
  return { host, port: digits === undefined ? port : Number(digits) };
}
