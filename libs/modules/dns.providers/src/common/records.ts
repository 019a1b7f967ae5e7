/** Groups and compares DNS records. */
import type { DnsRecord } from '@sluice/contracts';

/** A DNS record set: all records with the same name and type (RFC 2181 §5). */
export interface RecordSet {
  readonly name: string;
  readonly type: string;
  /** TTL in milliseconds. 0 selects the provider's default TTL. */
  readonly ttl: number;
  readonly values: readonly string[];
}

function keyOf({ name, type }: Pick<DnsRecord, 'name' | 'type'>): string {
  return `${name.toLowerCase()} ${type}`;
}

/** Groups records into record sets. The TTL of a record set is the TTL of its first record. */
export function recordSets(records: readonly DnsRecord[]): RecordSet[] {
  const sets = new Map<string, { name: string; type: string; ttl: number; values: string[] }>();
  for (const record of records) {
    const { name, type, ttl, value } = record;
    const known = sets.get(keyOf(record));
    if (known === undefined) sets.set(keyOf(record), { name, type, ttl, values: [value] });
    else if (!known.values.some((each) => sameValue(type, each, value))) known.values.push(value);
  }
  return [...sets.values()];
}

/** Reports whether a record belongs to a record set. */
export function isOf(record: Pick<DnsRecord, 'name' | 'type'>, set: Pick<RecordSet, 'name' | 'type'>): boolean {
  return keyOf(record) === keyOf(set);
}

/** Reports whether two record values represent the same data. Names in values are case-insensitive and may have a trailing dot. */
export function sameValue(type: string, one: string, other: string): boolean {
  return type === 'TXT' ? one === other : comparable(one) === comparable(other);
}

function comparable(value: string): string {
  return value.replace(/\.$/, '').toLowerCase();
}

/** Converts a TTL to seconds, with a minimum of `least`. A TTL of 0 becomes `defaultTtl`. */
export function seconds(ttl: number, defaultTtl: number, least = 1): number {
  return ttl <= 0 ? defaultTtl : Math.max(least, Math.round(ttl / 1000));
}

/** Formats TXT data as quoted strings of at most 255 bytes (RFC 1035 §3.3.14 and §5.1). */
export function quotedText(value: string): string {
  return textParts(value)
    .map((part) => `"${part.toString('latin1').replaceAll(/["\\]/g, String.raw`\$&`)}"`)
    .join(' ');
}

/** Splits a TXT value into strings of at most 255 bytes. */
export function textParts(value: string): Buffer[] {
  const data = Buffer.from(value);
  const parts: Buffer[] = [];
  for (let at = 0; at < data.length || parts.length === 0; at += 255) parts.push(data.subarray(at, at + 255));
  return parts;
}

/** Parses TXT data in presentation format. Data without quotes is returned unchanged. */
export function unquotedText(data: string): string {
  const parts = [...data.matchAll(/"((?:[^"\\]|\\.)*)"/gs)];
  if (parts.length === 0) return data;
  return parts
    .map(([, part = '']) =>
      part.replaceAll(/\\(\d{3}|.)/gs, (_, escaped: string) =>
        /^\d{3}$/.test(escaped) ? String.fromCharCode(Number(escaped)) : escaped,
      ),
    )
    .join('');
}
