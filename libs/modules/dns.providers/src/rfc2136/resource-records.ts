/** Converts between the record type of the DNS provider interface and resource records in wire format. */
import { SluiceError } from '@sluice/base';
import type { DnsRecord } from '@sluice/contracts';
import type { Answer, OptAnswer } from 'dns-packet';
import { fullName, relativeName } from '../common/names.ts';
import { textParts } from '../common/records.ts';
import { encodeData, encodeName } from './wire.ts';

/** Resource record classes in updates (RFC 2136 §2.5). The classes add a record, remove a record, or remove a record set. */
const classes = { added: 1, removed: 254, removedSet: 255 };

/** Type codes of the supported record types. */
const codes: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  CAA: 257,
};

/** Returns an update entry that adds a record. The TTL is in seconds. */
export function addition(record: DnsRecord, zone: string, ttl: number): Buffer {
  return update(record, zone, { of: classes.added, ttl, data: dataOf(record.type, record.value) });
}

/** Returns an update entry that removes a record (RFC 2136 §2.5.4). */
export function removal(record: DnsRecord, zone: string): Buffer {
  return update(record, zone, { of: classes.removed, ttl: 0, data: dataOf(record.type, record.value) });
}

/** Returns an update entry that removes a whole record set (RFC 2136 §2.5.2). */
export function removalOfSet(set: Pick<DnsRecord, 'name' | 'type'>, zone: string): Buffer {
  return update(set, zone, { of: classes.removedSet, ttl: 0, data: null });
}

/** Encodes a resource record for an update. The library dns-packet does not support the class NONE, or records that contain no data. */
function update(
  { name, type }: Pick<DnsRecord, 'name' | 'type'>,
  zone: string,
  { of, ttl, data }: { readonly of: number; readonly ttl: number; readonly data: unknown },
): Buffer {
  const code = codes[type];
  if (code === undefined) throw unsupported(type);
  const fields = Buffer.alloc(8);
  fields.writeUInt16BE(code, 0);
  fields.writeUInt16BE(of, 2);
  fields.writeUInt32BE(ttl, 4);
  const encoded = data === null ? Buffer.alloc(2) : encodeData(type, data);
  return Buffer.concat([encodeName(fullName(name, zone)), fields, encoded]);
}

/** Converts a resource record from wire format. Returns `null` if its type is not supported. */
export function recordOf(found: Answer, zone: string): DnsRecord | null {
  if (found.type === 'OPT' || !Object.hasOwn(codes, found.type)) return null;
  const { ttl = 0 } = found;
  return { name: relativeName(found.name, zone), type: found.type, value: valueOf(found), ttl: ttl * 1000 };
}

function dataOf(type: string, value: string): unknown {
  const words = value.trim().split(/\s+/);
  const [first = '', second = '', third = '', fourth = ''] = words;
  switch (type) {
    case 'A':
    case 'AAAA':
      return value;
    case 'TXT':
      return textParts(value);
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return bare(value);
    case 'MX':
      return { preference: Number(first), exchange: bare(second) };
    case 'SRV':
      return { priority: Number(first), weight: Number(second), port: Number(third), target: bare(fourth) };
    case 'CAA':
      return { flags: Number(first), tag: second, value: words.slice(2).join(' ').replaceAll('"', '') };
    default:
      throw unsupported(type);
  }
}

function valueOf(found: Exclude<Answer, OptAnswer>): string {
  switch (found.type) {
    case 'TXT':
      return [found.data]
        .flat()
        .map((part) => part.toString())
        .join('');
    case 'MX':
      return `${found.data.preference ?? 0} ${found.data.exchange}.`;
    case 'SRV':
      return `${found.data.priority ?? 0} ${found.data.weight ?? 0} ${found.data.port} ${found.data.target}.`;
    case 'CAA':
      return `${found.data.flags ?? 0} ${found.data.tag} "${found.data.value}"`;
    case 'A':
    case 'AAAA':
      return found.data;
    default:
      return `${String(found.data)}.`;
  }
}

function bare(name: string): string {
  return name.trim().replace(/\.$/, '');
}

function unsupported(type: string): SluiceError {
  return new SluiceError('ERR_DNS_PROVIDER', `rfc2136: records of type ${type} are not supported`);
}
