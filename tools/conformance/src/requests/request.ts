/** Requests as plain values that can be printed and sent again. */

export interface Request {
  readonly method: string;
  readonly target: string;
  readonly host: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

export function get(target: string, fields: Request['fields'] = []): Request {
  return { method: 'GET', target, host: 'test.example', fields, body: '' };
}

/** Returns the bytes of a request. The request closes the connection after its response. */
export function bytesOf({ method, target, host, fields, body }: Request): Buffer {
  const lines = [
    `${method} ${target} HTTP/1.1`,
    `Host: ${host}`,
    ...fields.map(([name, value]) => `${name}: ${value}`),
  ];
  if (body !== '') lines.push(`Content-Length: ${body.length}`);
  return Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`, 'latin1');
}
