/** Distinguishes plain HTTP requests from TLS by their first bytes, and parses the host of the request. */

/** Prefixes of requests that are redirected. TLS and other protocols begin with different bytes. */
const beginnings = ['GET /', 'HEAD /', 'POST /', 'PUT /', 'PATCH /', 'DELETE /', 'OPTIONS /'].map((text) =>
  Buffer.from(text, 'latin1'),
);

const endOfHead = Buffer.from('\r\n\r\n', 'latin1');

/** Reports whether the bytes are the start of an HTTP request. Returns `null` if more bytes are needed. */
export function looksLikeHttp(bytes: Buffer, end: number): boolean | null {
  let open = false;
  for (const beginning of beginnings) {
    const length = Math.min(end, beginning.length);
    if (bytes.compare(beginning, 0, length, 0, length) !== 0) continue;
    if (length === beginning.length) return true;
    open = true;
  }
  return open ? null : false;
}

/** Returns the request line and headers without the final empty line, or `null` if they are incomplete. */
export function headOf(bytes: Buffer, end: number): string | null {
  const at = bytes.subarray(0, end).indexOf(endOfHead);
  return at < 0 ? null : bytes.toString('latin1', 0, at);
}

/** Returns the redirect URL, or `null` if the request is invalid or has no host. */
export function locationOf(head: string): string | null {
  const [requestLine = '', ...lines] = head.split('\r\n');
  const target = /^[A-Z]+ (\/[\x21-\x7e\x80-\xff]*) HTTP\/1\.[01]$/.exec(requestLine)?.[1];
  const host = hostIn(lines);
  return target === undefined || host === null ? null : `https://${host}${target}`;
}

/**
 * Returns the value of the `Host` header. Returns `null` for an invalid or repeated header, because its value must not appear in the
 * response.
 */
function hostIn(lines: readonly string[]): string | null {
  let host: string | null = null;
  for (const line of lines) {
    const value = /^host:[ \t]*([a-z\d.\-_~%[\]:]+)[ \t]*$/i.exec(line)?.[1];
    if (value === undefined) continue;
    if (host !== null) return null;
    host = value;
  }
  return host;
}
