/** Listings for terminals. */
import type { Listing } from './listing.ts';
import { humanSize } from './sizes.ts';

let months: Intl.DateTimeFormat | null = null;

/** Formats a listing as a text table. Columns are aligned with tab characters, assuming a tab width of 8. */
export function listingText({ items }: Listing): string {
  const rows = [
    ['Name', 'Size', 'Modified'],
    ['----', '----', '--------'],
    ...items.map((item) => [safeText(item.name), humanSize(item.size), formatLocal(Number(item.mtimeNs / 1_000_000n))]),
  ] as [name: string, size: string, modified: string][];
  const nameWidth = columnWidth(rows.map(([name]) => name));
  const sizeWidth = columnWidth(rows.map(([, size]) => size));
  return rows
    .map(([name, size, modified]) => `${padded(name, nameWidth)}${padded(size, sizeWidth)}${modified}\n`)
    .join('');
}

/** Removes control characters, which could manipulate a terminal. */
function safeText(name: string): string {
  return name.replace(/[\0-\x1f\x7f-\x9f]/g, '?');
}

function columnWidth(cells: readonly string[]): number {
  let longest = 0;
  for (const cell of cells) longest = Math.max(longest, widthOf(cell));
  return Math.ceil((longest + 1) / 8) * 8;
}

function padded(cell: string, width: number): string {
  return cell + '\t'.repeat(Math.ceil((width - widthOf(cell)) / 8));
}

function widthOf(cell: string): number {
  return [...cell].length;
}

/** Formats a time in the local time zone, such as `September 13, 2020 at 12:26:40`. */
export function formatLocal(time: number): string {
  const date = new Date(time);
  months ??= new Intl.DateTimeFormat('en', { month: 'long' });
  const [hour, minute, second] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${months.format(date)} ${date.getDate()}, ${date.getFullYear()} at ${hour}:${minute}:${second}`;
}
