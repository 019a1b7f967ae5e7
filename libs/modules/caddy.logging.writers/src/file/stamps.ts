/** Formats times in the names of rotated files. Also recognizes such times and, if possible, parses them. */

export interface Stamp {
  write(time: Date): string;
  /** Regular expression source that matches formatted times. Files whose name does not match are not touched. */
  readonly pattern: string;
  /**
   * Returns the time in milliseconds since the Unix epoch. Returns `null` if the layout is ambiguous; callers then use the file's
   * modification time.
   */
  read(text: string): number | null;
}

/** Returns the default time format, `2006-01-02T15-04-05.000`, in local time if `local` is true, otherwise in UTC. */
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

/** Returns a time format for a Go layout. Its code is loaded on demand. */
export async function layoutStamp(layout: string, local: boolean): Promise<Stamp> {
  const { fixedZone, Instant } = await import('@sluice/text-template');
  const utc = fixedZone('UTC', 0);
  const write = (time: Date): string => (local ? Instant.fromDate(time) : Instant.fromDate(time, utc)).Format(layout);
  return { write, pattern: likeness(write(new Date())), read: () => null };
}

/** Returns a regular expression for times with the same layout as `text`. Numbers, words and spaces can differ. */
function likeness(text: string): string {
  return text.replaceAll(/\d+|[A-Za-z]+| +|[^\dA-Za-z ]/g, (part) => {
    if (/^\d/.test(part)) return String.raw`\d+`;
    if (/^[A-Za-z]/.test(part)) return '[A-Za-z]+';
    return part.startsWith(' ') ? ' +' : RegExp.escape(part);
  });
}
