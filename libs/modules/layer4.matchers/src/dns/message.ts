/** Parser for the questions of DNS messages (RFC 1035 §4.1). */

const classes: Readonly<Record<number, string>> = { 1: 'IN', 2: 'CS', 3: 'CH', 4: 'HS', 254: 'NONE', 255: 'ANY' };

const types: Readonly<Record<number, string>> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  10: 'NULL',
  12: 'PTR',
  13: 'HINFO',
  15: 'MX',
  16: 'TXT',
  17: 'RP',
  18: 'AFSDB',
  24: 'SIG',
  25: 'KEY',
  28: 'AAAA',
  29: 'LOC',
  33: 'SRV',
  35: 'NAPTR',
  36: 'KX',
  37: 'CERT',
  39: 'DNAME',
  41: 'OPT',
  42: 'APL',
  43: 'DS',
  44: 'SSHFP',
  45: 'IPSECKEY',
  46: 'RRSIG',
  47: 'NSEC',
  48: 'DNSKEY',
  49: 'DHCID',
  50: 'NSEC3',
  51: 'NSEC3PARAM',
  52: 'TLSA',
  53: 'SMIMEA',
  55: 'HIP',
  59: 'CDS',
  60: 'CDNSKEY',
  61: 'OPENPGPKEY',
  62: 'CSYNC',
  63: 'ZONEMD',
  64: 'SVCB',
  65: 'HTTPS',
  99: 'SPF',
  108: 'EUI48',
  109: 'EUI64',
  249: 'TKEY',
  250: 'TSIG',
  251: 'IXFR',
  252: 'AXFR',
  255: 'ANY',
  256: 'URI',
  257: 'CAA',
};

export interface DnsQuestion {
  /** Domain name in lower case, with a trailing dot. */
  readonly name: string;
  readonly type: string;
  readonly class: string;
}

const headerSize = 12;
const responseBit = 0x8000;
const maxLabel = 63;

/** Parses the questions of a DNS query in `bytes[0..end)`. Returns `null` if the message is not a query. */
export function readQuery(bytes: Buffer, start: number, end: number): DnsQuestion[] | null {
  if (end - start < headerSize) return null;
  const flags = bytes.readUInt16BE(start + 2);
  const count = bytes.readUInt16BE(start + 4);
  if ((flags & responseBit) !== 0 || count === 0) return null;
  const questions: DnsQuestion[] = [];
  let at = start + headerSize;
  for (let i = 0; i < count; i++) {
    const labels: string[] = [];
    for (;;) {
      if (at >= end) return null;
      const length = bytes[at++] as number;
      if (length === 0) break;
      // Questions come first in the message, so compression pointers in their names are invalid.
      if (length > maxLabel || at + length > end) return null;
      labels.push(bytes.toString('latin1', at, at + length).toLowerCase());
      at += length;
    }
    if (at + 4 > end) return null;
    const [type, kind] = [bytes.readUInt16BE(at), bytes.readUInt16BE(at + 2)];
    at += 4;
    questions.push({
      name: `${labels.join('.')}.`,
      type: types[type] ?? `TYPE${type}`,
      class: classes[kind] ?? `CLASS${kind}`,
    });
  }
  return questions;
}
