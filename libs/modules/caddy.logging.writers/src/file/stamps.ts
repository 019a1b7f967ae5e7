/** Times in names of rotated files: formatting, recognition, and, if possible, parsing. */

export interface Stamp {
  write(time: Date): string;
  /** Source of a regular expression for formatted times, so that other files are not touched. */
  readonly pattern: string;
  /** Returns milliseconds since 1970, or `null` if the layout is ambiguous; the file's modification time is then used. */
  read(text: string): number | null;
}

/** `2006-01-02T15-04-05.000`, in UTC, or local time if `local` is set. */
export function defaultStamp(local: boolean): Stamp {
  return {
    write: (time) => {
      const shown = local ? new Date(time.getTime() - time.getTimezoneOffset() * 60_000) : time;
      return shown.toISOString().slice(0, 23).replaceAll(':', '-');
    },
    pattern: String.raw`\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}`,
    read: (text) => {
      const time = Date.parse(`${text.slice(0, 10)}T${text.slice(11).replaceAll('-', ':')}${local ? '' : 'Z'}`);
      return Number.isNaN(time) ? null : time;
    },
  };
}

/** A Go layout. The code is loaded on demand. */
export async function layoutStamp(layout: string, local: boolean): Promise<Stamp> {
  const { fixedZone, Instant } = await import('@sluice/text-template');
  const utc = fixedZone('UTC', 0);
  const write = (time: Date): string => (local ? Instant.fromDate(time) : Instant.fromDate(time, utc)).Format(layout);
  return { write, pattern: likeness(write(new Date())), read: () => null };
}

/** Returns a regular expression for times with the same layout. Numbers, words and spaces vary. */
function likeness(text: string): string {
  return text.replaceAll(/\d+|[A-Za-z]+| +|[^\dA-Za-z ]/g, (part) => {
    if (/^\d/.test(part)) return String.raw`\d+`;
    if (/^[A-Za-z]/.test(part)) return '[A-Za-z]+';
    return part.startsWith(' ') ? ' +' : RegExp.escape(part);
  });
}
