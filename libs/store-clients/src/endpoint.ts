/** Address of a server: a host and a port, or a socket path. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** Parses an address: `host`, `host:port` or `[address]:port`. */
export function readEndpoint(text: string, port: number): Endpoint {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) return { host: text, port };
  return { host, port: digits === undefined ? port : Number(digits) };
}
