/** Requests of a run: what is sent, as a value that can be told and repeated. */

/** A request of a client. Text is one character per byte. */
export interface Request {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A GET of the target, for generators that care for nothing else. */
export function get(target: string, fields: Request['fields'] = []): Request {
  return { method: 'GET', target, host: 'test.example', fields, body: '' };
}

/** The request as it goes over the wire; the connection ends with its response. */
export function bytesOf({ method, target, host, fields, body }: Request): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== '') lines.push(`Content-Length: ${body.length}`);
  return Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`, 'latin1');
}
