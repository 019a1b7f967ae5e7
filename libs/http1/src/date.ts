/** The `Date` field (RFC 9110 §6.6.1), made once a second. */

let line = '';
/** Until when the line is right, in milliseconds of `performance.now()`. */
let until = Number.NEGATIVE_INFINITY;

/** `Date: Sun, 06 Nov 1994 08:49:37 GMT`, with its line end; `now` is the moment, of `performance.now()`. */
export function dateLine(now: number): string {
  if (now >= until || now < until - 1000) {
    const date = Date.now();
    until = now + 1000 - (date % 1000);
    line = `Date: ${new Date(date).toUTCString()}\r\n`;
  }
  return line;
}
