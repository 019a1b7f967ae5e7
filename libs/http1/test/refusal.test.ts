import { expect } from 'chai';
import { badRequest, dateLine, emptyHost, expectationFailed, refusalText, serverOptionsResponse } from '@sluice/http1';
import * as refusals from '../src/refusal.ts';

describe('http1 responses that the engine sends itself', () => {
  const withoutDate = (text: string): string => text.replace(dateLine(performance.now()), 'Date\r\n');

  it('error responses of the engine have a status and a reason, and close the connection', () => {
    expect(refusalText(badRequest)).to.equal(
      'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n400 Bad Request',
    );
    expect(refusalText(refusals.unknownCoding)).to.match(
      /^HTTP\/1\.1 501 Not Implemented\r\n.*Unsupported transfer encoding$/s,
    );
    expect(refusalText(refusals.headTooLarge)).to.match(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(refusalText(refusals.unknownVersion)).to.match(/^HTTP\/1\.1 505 HTTP Version Not Supported/);
    for (const refusal of [refusals.badFieldName, refusals.missingHost, refusals.malformedHost])
      expect(refusal.status).to.equal(400);
  });

  it('responses to invalid Expect and Host fields use the HTTP version of the request', () => {
    for (const proto of ['HTTP/1.1', 'HTTP/1.0']) {
      expect(withoutDate(expectationFailed(proto))).to.equal(
        `${proto} 417 Expectation Failed\r\nConnection: close\r\nDate\r\nContent-Length: 0\r\n\r\n`,
      );
      expect(withoutDate(emptyHost(proto))).to.equal(
        `${proto} 400 Bad Request\r\nServer: Sluice\r\nDate\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
      );
    }
  });

  it('the response to OPTIONS * has no content, and keeps or closes the connection as requested', () => {
    expect(withoutDate(serverOptionsResponse('HTTP/1.1', true))).to.equal(
      'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nDate\r\n\r\n',
    );
    expect(withoutDate(serverOptionsResponse('HTTP/1.0', false))).to.equal(
      'HTTP/1.0 200 OK\r\nContent-Length: 0\r\nDate\r\nConnection: close\r\n\r\n',
    );
  });
});
