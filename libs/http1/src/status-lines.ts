/** Status lines (RFC 9112 §4), made once per status. */
import { statusText } from './status-text.ts';

const lines: (string | undefined)[] = [];
const oldLines: (string | undefined)[] = [];

/** The status line with its line end; `minor` is that of the request's version. */
export function statusLine(status: number, minor: number): string {
  const cache = minor === 0 ? oldLines : lines;
  return (cache[status] ??= `HTTP/1.${minor === 0 ? 0 : 1} ${status} ${reasonOf(status)}\r\n`);
}

/** The reason phrase; for unregistered statuses what the reference says. */
function reasonOf(status: number): string {
  return statusText(status) || `status code ${status}`;
}
