/** Time formats of placeholders and headers. */

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** Formats a time in milliseconds since the Unix epoch as IMF-fixdate (RFC 9110 §5.6.7), such as `Sun, 06 Nov 1994 08:49:37 GMT`. */
export function formatHttpDate(time: number): string {
  const date = new Date(time);
  const day = `${days[date.getUTCDay()]}, ${two(date.getUTCDate())} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} GMT`;
}

function offset(date: Date, separator: string): string {
  const minutes = -date.getTimezoneOffset();
  const magnitude = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(magnitude / 60))}${separator}${two(magnitude % 60)}`;
}

/** Formats local time for the Common Log Format, such as `02/Jan/2006:15:04:05 -0700`. */
export function formatCommonLog(date: Date): string {
  const day = `${two(date.getDate())}/${months[date.getMonth()]}/${date.getFullYear()}`;
  return `${day}:${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${offset(date, '')}`;
}

/** Formats a time in milliseconds since the Unix epoch as local time, such as `2006-01-02 15:04:05.999 -0700 MST`. */
export function zoned(time: number): string {
  const date = new Date(time);
  const zone = date.getTimezoneOffset() === 0 ? 'UTC' : offset(date, '');
  const fraction = String(date.getMilliseconds()).padStart(3, '0').replace(/0+$/, '');
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}${fraction && `.${fraction}`} ${offset(date, '')} ${zone}`;
}
