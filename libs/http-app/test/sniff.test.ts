import { expect } from 'chai';
import { sniffContentType } from '@sluice/http-app';
import { listen, RawClient } from './engine/harness.ts';

const table: readonly [begin: string | Buffer, type: string][] = [
  ['', 'text/plain; charset=utf-8'],
  ['plain text', 'text/plain; charset=utf-8'],
  ['  <!doctype html><p>', 'text/html; charset=utf-8'],
  ['<p>', 'text/html; charset=utf-8'],
  ['<pre>', 'text/plain; charset=utf-8'],
  ['\n<?xml version="1.0"?>', 'text/xml; charset=utf-8'],
  ['%PDF-1.7', 'application/pdf'],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]), 'image/png'],
  [Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 'image/jpeg'],
  [Buffer.from([0x1f, 0x8b, 0x08]), 'application/x-gzip'],
  [Buffer.from([1, 2, 3]), 'application/octet-stream'],
];

describe('content type detection', () => {
  for (const [begin, type] of table) {
    it(`the sniffed content type is ${type} for ${JSON.stringify(begin.toString('latin1'))}`, () => {
      expect(sniffContentType(begin)).to.equal(type);
    });
  }

  it('the response writer sniffs content types unless a type or an encoding is set', async () => {
    const listener = await listen(({ path, response }) => {
      if (path === '/typed') response.headers.set('content-type', 'text/x');
      if (path === '/coded') response.headers.set('content-encoding', 'br');
      if (path === '/large') response.write('<html>'.repeat(1000));
      response.end(path === '/empty' ? '' : '<html>');
    });
    const types: (string | undefined)[] = [];
    for (const path of ['/html', '/typed', '/coded', '/large', '/empty']) {
      const received = await new RawClient(listener.port)
        .send(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
        .all();
      types.push(/Content-Type: (.*)\r\n/.exec(received)?.[1]);
    }
    await listener.close();
    expect(types).to.deep.equal([
      'text/html; charset=utf-8',
      'text/x',
      undefined,
      'text/html; charset=utf-8',
      undefined,
    ]);
  });
});
