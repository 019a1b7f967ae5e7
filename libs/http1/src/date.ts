/** The `Date` field (RFC 9110 §6.6.1), made once a second. */

let line = '';
let value = '';
/** Until when they are right, in milliseconds of `performance.now()`. */
let until = Number.NEGATIVE_INFINITY;

/** `Date: Sun, 06 Nov 1994 08:49:37 GMT`, with its line end; `now` is the moment, of `performance.now()`. */
export function dateLine(now: number): string {
  update(now);
  return line;
}

/** `Sun, 06 Nov 1994 08:49:37 GMT`; `now` is the moment, of `performance.now()`. */
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
