import { expect } from 'chai';
import fc from 'fast-check';
import { parseProxyHeader } from '../../src/proxy-protocol/header.ts';
import type { HeaderResult } from '../../src/proxy-protocol/header-result.ts';
import { version2 } from './headers.ts';

const read = (bytes: string | Buffer): HeaderResult => {
  const buffer = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
  return parseProxyHeader(buffer, buffer.length);
};

/** Parses a PROXY protocol header. Returns the addresses as a string, or a description of another result. */
const shown = (bytes: string | Buffer): string => {
  const result = read(bytes);
  if (typeof result === 'string') return result;
  const { addresses } = result;
  if (addresses === null) return 'unknown';
  return `${addresses.remoteAddress} ${addresses.remotePort} ${addresses.localAddress} ${addresses.localPort}`;
};

describe('parseProxyHeader', () => {
  describe('parseProxyHeader, version 1', () => {
    const table: readonly (readonly [string, string])[] = [
      ['PROXY TCP4 10.1.2.3 10.9.9.9 1111 443\r\n', '10.1.2.3 1111 10.9.9.9 443'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 0 65535\r\n', '10.1.2.3 0 10.9.9.9 65535'],
      ['PROXY TCP6 2001:db8::1 2001:db8::2 1 2\r\n', '2001:db8::1 1 2001:db8::2 2'],
      ['PROXY TCP6 2001:0DB8:0:0:0:0:0:1 ::1 1 2\r\n', '2001:db8::1 1 ::1 2'],
      ['PROXY TCP6 ::ffff:10.1.2.3 ::1 1 2\r\n', '10.1.2.3 1 ::1 2'],
      ['PROXY UNKNOWN\r\n', 'unknown'],
      ['PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n', 'unknown'],
      [`PROXY UNKNOWN ${'x'.repeat(91)}\r\n`, 'unknown'],
      [`PROXY UNKNOWN ${'x'.repeat(92)}\r\n`, 'malformed'],
      [`PROXY UNKNOWN ${'x'.repeat(200)}`, 'malformed'],
      ['PROXY TCP4 10.1.2.333 10.9.9.9 1 2\r\n', 'malformed'],
      ['PROXY TCP4 010.1.2.3 10.9.9.9 1 2\r\n', 'malformed'],
      ['PROXY TCP4 2001:db8::1 2001:db8::2 1 2\r\n', 'malformed'],
      ['PROXY TCP6 10.1.2.3 10.9.9.9 1 2\r\n', 'malformed'],
      ['PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n', 'malformed'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 65536 2\r\n', 'malformed'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 -1 2\r\n', 'malformed'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 01 2\r\n', 'malformed'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 1e3 2\r\n', 'malformed'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 1\r\n', 'malformed'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 1 2 3\r\n', 'malformed'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 1 2 \r\n', 'malformed'],
      ['PROXY  TCP4 10.1.2.3 10.9.9.9 1 2\r\n', 'malformed'],
      ['PROXY TCP4 10.1.2.3 10.9.9.9 1 2\n', 'malformed'],
      ['PROXY UDP4 10.1.2.3 10.9.9.9 1 2\r\n', 'malformed'],
      ['PROXY\r\n', 'malformed'],
      ['PROXYTCP4 10.1.2.3 10.9.9.9 1 2\r\n', 'malformed'],
      ['proxy TCP4 10.1.2.3 10.9.9.9 1 2\r\n', 'absent'],
      ['PUT / HTTP/1.1\r\n', 'absent'],
      ['PRI * HTTP/2.0\r\n', 'absent'],
      ['P', 'incomplete'],
      ['PROXY TCP4 10.1', 'incomplete'],
    ];
    for (const [bytes, result] of table) {
      it(`parseProxyHeader parses the version 1 header ${JSON.stringify(bytes.slice(0, 60))} as ${result}`, () =>
        expect(shown(bytes)).to.equal(result));
    }
  });

  describe('parseProxyHeader, version 2', () => {
    const v6 = Buffer.from('20010db8000000000000000000000001', 'hex');
    const mapped = Buffer.from('00000000000000000000ffff0a010203', 'hex');
    const paths = Buffer.alloc(216);
    paths.write('/run/a.sock', 0);
    paths.write('/run/b.sock', 108);
    const table: readonly (readonly [string, Buffer, string])[] = [
      ['TCP over IPv4', version2({}), '10.1.2.3 1111 10.9.9.9 443'],
      ['UDP over IPv4', version2({ family: 0x12 }), '10.1.2.3 1111 10.9.9.9 443'],
      ['TCP over IPv6', version2({ family: 0x21, source: v6, destination: v6 }), '2001:db8::1 1111 2001:db8::1 443'],
      [
        'IPv4-mapped addresses',
        version2({ family: 0x21, source: mapped, destination: v6 }),
        '10.1.2.3 1111 2001:db8::1 443',
      ],
      ['Unix sockets', version2({ family: 0x31, body: paths }), '/run/a.sock 0 /run/b.sock 0'],
      ['TLVs after the addresses', version2({ more: Buffer.from([4, 0, 2, 1, 1]) }), '10.1.2.3 1111 10.9.9.9 443'],
      ['the maximum length', version2({ more: Buffer.alloc(4084) }), '10.1.2.3 1111 10.9.9.9 443'],
      ['the LOCAL command', version2({ command: 0, family: 0, body: Buffer.alloc(0) }), 'unknown'],
      ['the LOCAL command and addresses', version2({ command: 0 }), 'unknown'],
      ['an excessive length', version2({ more: Buffer.alloc(4085) }), 'malformed'],
      ['an unknown version', version2({ version: 1 }), 'malformed'],
      ['an unknown command', version2({ command: 2 }), 'malformed'],
      ['an unspecified address family', version2({ family: 0 }), 'malformed'],
      ['an unspecified transport', version2({ family: 0x10 }), 'malformed'],
      ['an unknown address family', version2({ family: 0x41 }), 'malformed'],
      ['truncated addresses', version2({ body: Buffer.alloc(11) }), 'malformed'],
      ['missing addresses', version2({ body: Buffer.alloc(0) }), 'malformed'],
    ];
    for (const [what, bytes, result] of table) {
      it(`parseProxyHeader parses a version 2 header with ${what} as ${result}`, () =>
        expect(shown(bytes)).to.equal(result));
    }
  });

  it('parseProxyHeader returns the header length, regardless of further input', () => {
    for (const header of [Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n'), version2({})]) {
      const result = read(Buffer.concat([header, Buffer.from('GET / HTTP/1.1\r\n')]));
      expect((result as { length: number }).length).to.equal(header.length);
    }
  });

  it('parseProxyHeader returns incomplete for each proper prefix of a valid header', () => {
    for (const header of [Buffer.from('PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n'), version2({})]) {
      for (let end = 1; end < header.length; end++)
        expect(parseProxyHeader(header, end), String(end)).to.equal('incomplete');
    }
  });

  it('parseProxyHeader never throws for arbitrary bytes', () => {
    const begun = fc.constantFrom('', 'PROXY ', 'PROXY TCP6 ', '\r\n\r\n\0\r\nQUIT\n', '\r\n\r\n\0\r\nQUIT\n!\x21\0$');
    fc.assert(
      fc.property(begun, fc.uint8Array({ maxLength: 300 }), (beginning, rest) => {
        const bytes = Buffer.concat([Buffer.from(beginning, 'latin1'), rest]);
        const result = parseProxyHeader(bytes, bytes.length);
        expect(typeof result === 'string' || result.length <= bytes.length).to.equal(true);
      }),
    );
  });
});
