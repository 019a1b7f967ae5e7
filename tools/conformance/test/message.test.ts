import { expect } from 'chai';
import { readMessage, type Kind } from '../src/differential/message.ts';

describe('conformance tool: messages', () => {
  const cases: readonly [what: string, kind: Kind, bytes: string, framing: string, body: string, complete: boolean][] =
    [
      ['a request without a body', 'request', 'GET / HTTP/1.1\r\nA: b\r\n\r\n', 'none', '', true],
      [
        'a body with Content-Length',
        'response',
        'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi and more',
        'length 2',
        'hi',
        true,
      ],
      [
        'a body shorter than its Content-Length',
        'response',
        'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi',
        'length 3',
        'hi',
        false,
      ],
      ['a body that ends with the connection', 'response', 'HTTP/1.1 200 OK\r\n\r\nhi', 'close', 'hi', false],
      ['a response to HEAD', 'bodiless', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', 'none', '', true],
      [
        'a chunked body',
        'response',
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n1\r\n!\r\n0\r\nT: 1\r\n\r\n',
        'chunked',
        'hi!',
        true,
      ],
      [
        'a truncated chunked body',
        'response',
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n9\r\nno',
        'chunked',
        'hino',
        false,
      ],
    ];
  for (const [what, kind, bytes, framing, body, complete] of cases) {
    it(`readMessage reads ${what}`, () => {
      const message = readMessage(Buffer.from(bytes, 'latin1'), 0, kind, false);
      expect(message).to.include({ framing, complete });
      expect(message?.body.toString('latin1')).to.equal(body);
    });
  }

  it('readMessage waits for the end of the header section', () => {
    expect(readMessage(Buffer.from('HTTP/1.1 200 OK\r\nA: b\r\n'), 0, 'response', false)).to.equal(null);
  });
});
