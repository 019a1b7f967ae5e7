/** Maps the bytes of request methods to shared strings, which avoids allocations. */

const common = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'CONNECT', 'TRACE', 'PROPFIND'];

/** Common methods by length, most common first. */
const byLength: string[][] = [];
for (const method of common) (byLength[method.length] ??= []).push(method);

/** Returns the method in `bytes[start..end)`. The bytes must be a valid token. Methods are case-sensitive (RFC 9110 §9.1). */
export function methodOf(bytes: Buffer, start: number, end: number): string {
  const candidates = byLength[end - start];
  if (candidates !== undefined) for (const method of candidates) if (isAt(method, bytes, start)) return method;
  return bytes.toString('latin1', start, end);
}

function isAt(method: string, bytes: Buffer, start: number): boolean {
  for (let i = 0; i < method.length; i++) if (method.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
