import type { Listing } from './listing.ts';
import type { ListingItem } from './listing-item.ts';

/** Returns the entries of a listing as a JSON array, in Caddy's format. */
export function listingJson({ items }: Listing): string {
  return `${escapeForHtml(JSON.stringify(items.map(entryOf)))}\n`;
}

function entryOf(item: ListingItem): object {
  return {
    name: item.name.toWellFormed(),
    size: item.size,
    url: item.url,
    mod_time: formatTime(item.mtimeNs),
    mode: fileMode(item.mode),
    is_dir: item.isFolder,
    is_symlink: item.isLink,
    ...(item.target === '' ? {} : { symlink_path: item.target.toWellFormed() }),
  };
}

/** Formats a time in RFC 3339 format, with as many fractional digits as necessary. */
export function formatTime(nanoseconds: bigint): string {
  const milliseconds = nanoseconds / 1_000_000n - (nanoseconds < 0n && nanoseconds % 1_000_000n !== 0n ? 1n : 0n);
  const base = new Date(Number(milliseconds)).toISOString().slice(0, 19);
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const fraction = rest.toString().padStart(9, '0').replace(/0+$/, '');
  return `${base}${fraction === '' ? '' : `.${fraction}`}Z`;
}

/** Bits of Go's `fs.FileMode` for the file types in `stat(2)`. */
const kinds: Readonly<Record<number, number>> = {
  0o010000: 0x0200_0000, // pipe
  0o020000: 0x0420_0000, // character device
  0o040000: 0x8000_0000, // folder
  0o060000: 0x0400_0000, // block device
  0o120000: 0x0800_0000, // symbolic link
  0o140000: 0x0100_0000, // socket
};

/** Converts a file mode from `stat(2)` to the number that Caddy outputs. */
export function fileMode(mode: number): number {
  let value = (mode & 0o777) + (kinds[mode & 0o170000] ?? 0);
  if ((mode & 0o4000) !== 0) value += 0x0080_0000;
  if ((mode & 0o2000) !== 0) value += 0x0040_0000;
  if ((mode & 0o1000) !== 0) value += 0x0010_0000;
  return value;
}

const escapes: Readonly<Record<string, string>> = {
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  '\u2028': String.raw`\u2028`,
  '\u2029': String.raw`\u2029`,
};

/** Escapes JSON so that it is harmless even if it is interpreted as HTML or a script. */
function escapeForHtml(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (character) => escapes[character] ?? character);
}
