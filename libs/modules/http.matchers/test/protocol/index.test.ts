import { expect } from 'chai';
import { sampleTls } from '@sluice/testing';
import { expectMatches, refusal } from '../matching.ts';

const over = (proto: string): object => ({ proto });
const secure = { proto: 'HTTP/2.0', connection: { tls: sampleTls } };
const grpc = { headers: { 'content-type': 'application/grpc+proto' } };
const [h10, h11, h12, h2, h3] = [
  over('HTTP/1.0'),
  over('HTTP/1.1'),
  over('HTTP/1.2'),
  over('HTTP/2.0'),
  over('HTTP/3.0'),
];

describe('http.matchers.protocol', () => {
  const table: [name: string, yes: object[], no: object[]][] = [
    ['http', [h11, h2], [secure]],
    ['https', [secure], [h11]],
    ['grpc', [grpc], [h11, { headers: { 'content-type': 'text/plain' } }]],
    ['http/1.0', [h10], [h11, h2]],
    ['http/1.0+', [h10, h11, h2, h3], []],
    ['http/1.1', [h11], [h10, h12, h2]],
    ['http/1.1+', [h11, h12, h2], [h10]],
    ['http/2', [h2, secure], [h11, h3]],
    ['http/2+', [h2, h3], [h11]],
    ['http/3', [h3], [h2]],
    ['http/3+', [h3], [h2]],
    // As in Caddy, an unknown protocol matches nothing.
    ['HTTP', [], [h11]],
    ['http/1', [], [h11]],
    ['', [], [h11]],
  ];
  for (const [name, yes, no] of table)
    it(`the protocol matcher matches ${JSON.stringify(name)}`, () => expectMatches({ protocol: name }, yes, no));

  it('the protocol matcher rejects a list', async () => {
    expect(await refusal({ protocol: ['http'] })).to.include('protocol');
  });
});

describe('http.matchers.tls', () => {
  const early = { connection: { tls: { ...sampleTls, handshakeComplete: false } } };

  it('the tls matcher matches TLS connections, optionally by handshake state', async () => {
    await expectMatches({ tls: {} }, [secure, early], [h11]);
    await expectMatches({ tls: { handshake_complete: true } }, [secure], [early, h11]);
    await expectMatches({ tls: { handshake_complete: false } }, [early], [secure, h11]);
    await expectMatches({ tls: { handshake_complete: null } }, [secure, early], [h11]);
  });

  it('the tls matcher rejects unknown options', async () => {
    expect(await refusal({ tls: { done: true } })).to.include('"done"');
  });
});
