import { expect } from 'chai';
import { HeaderMap, requestFieldLines } from '@sluice/http1';

function mapOf(...fields: readonly (readonly [name: string, value: string])[]): HeaderMap {
  const headers = new HeaderMap();
  for (const [name, value] of fields) headers.append(name, value);
  return headers;
}

describe('http1 request fields', () => {
  it('requestFieldLines writes canonical names', () => {
    const headers = mapOf(['accept-encoding', 'gzip'], ['x-b', ' 1\r\nevil: 2 ']);
    expect(requestFieldLines(headers, false)).to.equal('Accept-Encoding: gzip\r\nX-B: 1  evil: 2\r\n');
  });

  it('requestFieldLines uses WebSocket capitalization only for upgrades, even if upgrades alternate with other requests that have the same fields', () => {
    const headers = mapOf(['sec-websocket-key', 'a'], ['upgrade', 'websocket']);
    for (const upgrades of [false, true, false, true])
      expect(requestFieldLines(headers, upgrades)).to.equal(
        `${upgrades ? 'Sec-WebSocket-Key' : 'Sec-Websocket-Key'}: a\r\nUpgrade: websocket\r\n`,
      );
  });

  it('requestFieldLines returns the same lines for equal fields, and different lines for different fields', () => {
    for (let i = 0; i < 50; i++)
      expect(requestFieldLines(mapOf(['x-n', String(i % 3)]), false)).to.equal(`X-N: ${i % 3}\r\n`);
  });
});
