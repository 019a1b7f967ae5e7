import { proxyHeader } from '@sluice/http-app';
import { expect } from 'chai';
import type { Socket } from 'node:net';

const socketTo = (remoteAddress: string | undefined, remotePort: number | undefined): Socket =>
  ({ remoteAddress, remotePort }) as Socket;

describe('http.reverse_proxy.transport.http: PROXY header', () => {
  const texts: readonly [address: string, port: number, to: string | undefined, expected: string][] = [
    ['192.0.2.1', 1234, '198.51.100.7', 'PROXY TCP4 192.0.2.1 198.51.100.7 1234 80\r\n'],
    ['2001:db8::1', 1234, '2001:db8::2', 'PROXY TCP6 2001:db8::1 2001:db8::2 1234 80\r\n'],
    ['192.0.2.1', 1234, '2001:db8::2', 'PROXY TCP6 ::ffff:192.0.2.1 2001:db8::2 1234 80\r\n'],
    ['fe80::1%eth0', 1, '2001:db8::2', 'PROXY TCP6 fe80::1 2001:db8::2 1 80\r\n'],
    ['', 0, '198.51.100.7', 'PROXY UNKNOWN\r\n'],
  ];
  for (const [address, port, to, expected] of texts) {
    it(`the HTTP transport sends the PROXY version 1 header ${expected.trim()}`, () =>
      expect(proxyHeader(1, { address, port }, socketTo(to, 80)).toString()).to.equal(expected));
  }

  const signature = '0d0a0d0a000d0a515549540a';
  const bytes: readonly [address: string, to: string, expected: string][] = [
    ['192.0.2.1', '198.51.100.7', `${signature}2111000cc0000201c633640704d20050`],
    [
      '2001:db8::1',
      '2001:db8::2',
      `${signature}2121002420010db800000000000000000000000120010db800000000000000000000000204d20050`,
    ],
    ['', '198.51.100.7', `${signature}20000000`],
  ];
  for (const [address, to, expected] of bytes) {
    it(`the HTTP transport sends the PROXY version 2 header for ${address || 'an unknown address'}`, () =>
      expect(proxyHeader(2, { address, port: 1234 }, socketTo(to, 80)).toString('hex')).to.equal(expected));
  }
});
