/** The `Date` field (RFC 9110 §6.6.1), formatted once per second. */

let line = '';
let value = '';
/** Time when the cached strings expire, in milliseconds of `performance.now()`. */
let until = Number.NEGATIVE_INFINITY;

/** Returns the complete line `Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n`. `now` is a `performance.now()` time. */
export function dateLine(now: number): string {
  update(now);
  return line;
}

/** Returns `Sun, 06 Nov 1994 08:49:37 GMT`. `now` is a `performance.now()` time. */
export function dateValue(now: number): string {
  update(now);
  return value;
}

function update(now: number): void {
  if (now < until && now >= until - 1000) return;
  const date = Date.now();
  until = now + 1000 - (date % 1000);
  value = new Date(date).toUTCString();
  line = `Date: ${value}\r\n`;
}
