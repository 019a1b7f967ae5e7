/** Reason phrases of statuses, as the reference has them. */
import { STATUS_CODES } from 'node:http';

/** Where the reference's phrase is another than Node's; the empty text stands for none. */
const others: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  414: 'Request URI Too Long',
  416: 'Requested Range Not Satisfiable',
  418: "I'm a teapot",
  509: '',
};

/** The phrase of a status; empty for a status that has none. */
export function statusText(status: number): string {
  return others[status] ?? STATUS_CODES[status] ?? '';
}
