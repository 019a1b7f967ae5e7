import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { fieldLines, fieldNames, HeaderMap, responseField, safeValue, statusLine, statusText } from '@sluice/http1';
import * as fields from '../src/response-fields.ts';

describe('http1 response fields', () => {
  const values: [value: string, safe: string][] = [
    ['', ''],
    ['a', 'a'],
    ['a b', 'a b'],
    [' a', 'a'],
    ['a ', 'a'],
    ['  a  ', 'a'],
    ['a\tb', 'a\tb'],
    ['\ta', 'a'],
    ['a\r\nX: y', 'a  X: y'],
    ['a\n', 'a'],
    ['a\u0000b\u001fc', 'a b c'],
    ['a\u007fb', 'a b'],
    ['~', '~'],
    ['\u00e9', '\u00c3\u00a9'],
    ['\u20ac', '\u00e2\u0082\u00ac'],
    [' \u00e9 ', '\u00c3\u00a9'],
  ];
  for (const [value, safe] of values) {
    it(`safeValue writes ${JSON.stringify(value)} as ${JSON.stringify(safe)}`, () => {
      expect(safeValue(value)).to.equal(safe);
    });
  }

  it('safeValue never returns a line break or surrounding whitespace @long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20 }), (value) => {
        const safe = safeValue(value);
        expect(safe)
          .to.match(/^[\t -~\u0080-\u00ff]*$/)
          .and.equal(safe.trim());
      }),
    );
  });

  const names: [name: string, prefix: string, kind: number][] = [
    ['x-request-id', 'X-Request-Id: ', fields.plainField],
    ['content-length', 'Content-Length: ', fields.lengthField],
    ['transfer-encoding', 'Transfer-Encoding: ', fields.codingField],
    ['connection', 'Connection: ', fields.connectionOption],
    ['date', 'Date: ', fields.dateField],
    ['trailer', 'Trailer: ', fields.trailerField],
    ['content-type', 'Content-Type: ', fields.typeField],
    ['content-encoding', 'Content-Encoding: ', fields.encodingField],
    ['a b', '', fields.plainField],
    ['', '', fields.plainField],
    ['a:', '', fields.plainField],
  ];
  for (const [name, prefix, kind] of names) {
    it(`responseField writes ${JSON.stringify(name)} as ${JSON.stringify(prefix)}`, () => {
      expect(responseField(name)).to.deep.equal({ prefix, kind });
    });
  }

  it('responseField returns the same prefix after a cache overflow', () => {
    const first = responseField('x-first');
    expect(responseField('x-first')).to.equal(first);
    for (let i = 0; i < 5000; i++) expect(responseField(`x-${i}`).prefix).to.equal(`X-${i}: `);
    expect(responseField('x-first')).to.deep.equal(first);
    expect(responseField('x-first') === first).to.equal(false);
    expect(responseField('content-length').kind).to.equal(fields.lengthField);
  });

  it('trailers and interim responses omit fields that affect framing', () => {
    const map = new HeaderMap();
    for (const [name] of names) map.append(name, `v of ${name}\n`);
    expect(fieldLines(map)).to.equal(
      'X-Request-Id: v of x-request-id\r\nContent-Type: v of content-type\r\nContent-Encoding: v of content-encoding\r\n',
    );
    expect(fieldNames(map)).to.equal('X-Request-Id, Content-Type, Content-Encoding');
    expect([fieldLines(new HeaderMap()), fieldNames(new HeaderMap())]).to.deep.equal(['', '']);
  });
});

describe('http1 status lines', () => {
  const texts: [status: number, text: string][] = [
    [200, 'OK'],
    [404, 'Not Found'],
    [413, 'Request Entity Too Large'],
    [414, 'Request URI Too Long'],
    [416, 'Requested Range Not Satisfiable'],
    [418, "I'm a teapot"],
    [509, ''],
    [599, ''],
  ];
  for (const [status, text] of texts) {
    it(`statusLine returns ${text === '' ? 'a generic phrase' : text} for ${status}`, () => {
      const reason = text === '' ? `status code ${status}` : text;
      expect(statusText(status)).to.equal(text);
      for (let i = 0; i < 2; i++) {
        expect(statusLine(status, 1)).to.equal(`HTTP/1.1 ${status} ${reason}\r\n`);
        expect(statusLine(status, 0)).to.equal(`HTTP/1.0 ${status} ${reason}\r\n`);
        expect(statusLine(status, 5)).to.equal(`HTTP/1.1 ${status} ${reason}\r\n`);
      }
    });
  }

  it('statusLine returns the registered phrases for all statuses for which Caddy and Node agree', () => {
    for (const [status, text] of Object.entries(STATUS_CODES))
      if (!['413', '414', '416', '418', '509'].includes(status)) expect(statusText(Number(status))).to.equal(text);
  });
});
