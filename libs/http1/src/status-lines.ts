/** HTTP/1 status lines (RFC 9112 §4), created once per status code. */
import { statusText } from './status-text.ts';

const lines: (string | undefined)[] = [];
const oldLines: (string | undefined)[] = [];

/** Returns the status line, including its line ending. `minor` is the request's HTTP minor version. */
export function statusLine(status: number, minor: number): string {
  const cache = minor === 0 ? oldLines : lines;
  return (cache[status] ??= `HTTP/1.${minor === 0 ? 0 : 1} ${status} ${reasonOf(status)}\r\n`);
}

/** Returns the reason phrase. Unregistered status codes get the same text as in Caddy. */
function reasonOf(status: number): string {
  return statusText(status) || `status code ${status}`;
}
