/** The `Date` field (RFC 9110 §6.6.1), made once a second. */

let second = 0;
let line = '';

/** `Date: Sun, 06 Nov 1994 08:49:37 GMT`, with its line end. */
export function dateLine(): string {
  const now = Math.trunc(Date.now() / 1000);
  if (now !== second) {
    second = now;
    line = `Date: ${new Date(now * 1000).toUTCString()}\r\n`;
  }
  return line;
}
