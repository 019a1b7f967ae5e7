/** Time zones from the operating system's database. The fallback is the JavaScript engine, which has fewer zone abbreviations. */
import { readFileSync } from 'node:fs';
import { readZoneFile } from './zone-file.ts';
import type { ZonePeriod, Zone } from './zone-period.ts';

const utcPeriod: ZonePeriod = { offset: 0, abbreviation: 'UTC' };

export const utc: Zone = { name: 'UTC', at: () => utcPeriod };

/** Creates a zone with a fixed UTC offset, such as for a parsed `+0100`. */
export function fixedZone(abbreviation: string, offset: number): Zone {
  const period: ZonePeriod = { offset, abbreviation };
  return { name: abbreviation, at: () => period };
}

const directories = ['/usr/share/zoneinfo', '/usr/share/lib/zoneinfo', '/usr/lib/locale/TZ', '/etc/zoneinfo'];
const known = new Map<string, Zone>();
const maxKnown = 1_000;

/** Returns a zone by name: '' or `UTC`, `Local`, or a name such as `Europe/Berlin`. Throws if the zone does not exist. */
export function loadZone(name: string): Zone {
  if (name === '' || name === 'UTC') return utc;
  if (name === 'Local') return localZone();
  const before = known.get(name);
  if (before !== undefined) return before;
  if (!/^[A-Za-z0-9][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name)) throw unknown(name);
  const zone = readSystemZone(name, name) ?? engineZone(name, name);
  if (known.size < maxKnown) known.set(name, zone);
  return zone;
}

let local: { readonly wanted: string | undefined; readonly zone: Zone } | null = null;

/** Returns the local time zone: the zone in the environment variable `TZ`, otherwise `Local`. */
function localZone(): Zone {
  const wanted = process.env['TZ'];
  if (local === null || local.wanted !== wanted) local = { wanted, zone: readLocalZone(wanted) };
  return local.zone;
}

function readLocalZone(wanted: string | undefined): Zone {
  try {
    if (wanted !== undefined) return loadZone(wanted === 'Local' ? '' : wanted.replace(/^:/, ''));
  } catch {
    return utc;
  }
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return readSystemZone(timeZone, 'Local') ?? engineZone(timeZone, 'Local');
}

function unknown(name: string): Error {
  return new Error(`unknown time zone ${name}`);
}

function readSystemZone(name: string, shown: string): Zone | null {
  for (const directory of directories) {
    try {
      return readZoneFile(readFileSync(`${directory}/${name}`), shown);
    } catch {
      // The zone file was not found. Try the next directory.
    }
  }
  return null;
}

/** Locales to try when looking up zone abbreviations. Each locale provides the abbreviations for the zones of its region. */
const regions = ['en-US', 'en-GB', 'en-AU', 'en-CA', 'en-IN', 'en-NZ', 'en-ZA', 'ja-JP'];

/** Returns a zone that the JavaScript engine provides. */
function engineZone(name: string, shown: string): Zone {
  const formatFor = (region: string, timeZoneName: 'longOffset' | 'short'): Intl.DateTimeFormat =>
    new Intl.DateTimeFormat(region, { timeZone: name, timeZoneName });
  let offsets: Intl.DateTimeFormat;
  try {
    offsets = formatFor('en-US', 'longOffset');
  } catch {
    throw unknown(name);
  }
  const names = regions.map((region) => formatFor(region, 'short'));
  return { name: shown, at: (seconds) => enginePeriod(offsets, names, seconds) };
}

function enginePeriod(
  offsets: Intl.DateTimeFormat,
  names: readonly Intl.DateTimeFormat[],
  seconds: number,
): ZonePeriod {
  const date = new Date(seconds * 1000);
  const match = /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(offsets.format(date));
  const size = Number(match?.[2] ?? 0) * 3600 + Number(match?.[3] ?? 0) * 60 + Number(match?.[4] ?? 0);
  const offset = match?.[1] === '-' ? -size : size;
  for (const format of names) {
    const name = format.formatToParts(date).find((part) => part.type === 'timeZoneName')?.value ?? '';
    if (/^[A-Z]{3,5}$/.test(name)) return { offset, abbreviation: name };
  }
  return { offset, abbreviation: numericName(offset) };
}

/** Formats a UTC offset as `+03` or `-0330`, for zones without an abbreviation. */
function numericName(offset: number): string {
  const minutes = Math.abs(Math.trunc(offset / 60));
  const rest = minutes % 60;
  const hours = String(Math.floor(minutes / 60)).padStart(2, '0');
  return `${offset < 0 ? '-' : '+'}${hours}${rest === 0 ? '' : String(rest).padStart(2, '0')}`;
}
