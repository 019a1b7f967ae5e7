/** The time in names of rolled files: written, recognised, and read where that is possible. */

/** How times are written. */
export interface Stamp {
  write(time: Date): string;
  /** Source of a regular expression that knows what was written, so that files of others are left alone. */
  readonly pattern: string;
  /** Milliseconds since 1970; `null` where the layout does not tell: the age is then that of the file. */
  read(text: string): number | null;
}

/** `2006-01-02T15-04-05.000`, of UTC or of the machine where `local` is set. */
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

/** A layout as Go's. Code for these is loaded where a configuration names one. */
export async function layoutStamp(layout: string, local: boolean): Promise<Stamp> {
  const { fixedZone, Instant } = await import('@sluice/text-template');
  const utc = fixedZone('UTC', 0);
  const write = (time: Date): string => (local ? Instant.fromDate(time) : Instant.fromDate(time, utc)).Format(layout);
  return { write, pattern: likeness(write(new Date())), read: () => null };
}

/** Numbers, words and gaps vary from time to time; what stands between them does not. */
function likeness(text: string): string {
  return text.replaceAll(/\d+|[A-Za-z]+| +|[^\dA-Za-z ]/g, (part) => {
    if (/^\d/.test(part)) return String.raw`\d+`;
    if (/^[A-Za-z]/.test(part)) return '[A-Za-z]+';
    return part.startsWith(' ') ? ' +' : RegExp.escape(part);
  });
}
