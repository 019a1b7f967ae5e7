/** Tells plain requests from TLS by their first bytes, and reads where they were to go. */

/** What requests to be redirected begin with. TLS begins with other bytes, and so does whatever is not HTTP. */
const beginnings = ['GET /', 'HEAD /', 'POST /', 'PUT /', 'PATCH /', 'DELETE /', 'OPTIONS /'].map((text) =>
  Buffer.from(text, 'latin1'),
);

const endOfHead = Buffer.from('\r\n\r\n', 'latin1');

/** Whether the bytes are the beginning of a request: yes, no, or not known yet. */
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

/** The head of a request whose end is there, without that end; `null` while it is not. */
export function headOf(bytes: Buffer, end: number): string | null {
  const at = bytes.subarray(0, end).indexOf(endOfHead);
  return at < 0 ? null : bytes.toString('latin1', 0, at);
}

/** Where a request is sent to, or `null` if it has no host to go to or is none at all. */
export function locationOf(head: string): string | null {
  const [requestLine = '', ...lines] = head.split('\r\n');
  const target = /^[A-Z]+ (\/[\x21-\x7e\x80-\xff]*) HTTP\/1\.[01]$/.exec(requestLine)?.[1];
  const host = hostIn(lines);
  return target === undefined || host === null ? null : `https://${host}${target}`;
}

/** The one host of the fields; a host that is not a host must not get into the response. */
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
