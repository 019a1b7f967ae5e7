/** Computes the time of day in a time zone. */

const day = 24 * 3600;

/** Function that returns the seconds since midnight for a time in milliseconds since the Unix epoch. */
export type Clock = (now: number) => number;

/** Returns the clock of a time zone: an IANA name, an offset, `Local`, or empty for UTC. Returns `null` for an unknown time zone. */
export function clockIn(zone: string): Clock | null {
  const offset = /^([+-])(\d{1,2})(?::?([0-5]\d))?(?::?([0-5]\d))?$/.exec(zone);
  if (offset !== null) {
    const seconds = Number(offset[2]) * 3600 + Number(offset[3] ?? 0) * 60 + Number(offset[4] ?? 0);
    return shifted(offset[1] === '-' ? -seconds : seconds);
  }
  if (zone === '' || zone === 'UTC') return shifted(0);
  if (zone === 'Local') return (now) => shifted(-new Date(now).getTimezoneOffset() * 60)(now);
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeStyle: 'medium', hourCycle: 'h23' });
    return (now) =>
      format
        .format(now)
        .split(':')
        .reduce((sum, part) => sum * 60 + Number(part), 0);
  } catch {
    return null;
  }
}

function shifted(offset: number): Clock {
  return (now) => (((Math.floor(now / 1000) + offset) % day) + day) % day;
}
