import { expect } from 'chai';
import { listen, RawClient, type TestListener } from '../harness.ts';

const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';
const post = (lines: string, body: string): string => `POST /front HTTP/1.1\r\nHost: a\r\n${lines}\r\n\r\n${body}`;

describe('request smuggling', () => {
  let listener: TestListener;
  const seen: string[] = [];

  before(async () => {
    listener = await listen(async ({ uri, body, response }) => {
      seen.push(uri);
      await body.bytes(1e6);
      response.end(uri);
    });
  });
  beforeEach(() => {
    seen.length = 0;
  });
  after(() => listener.close());

  async function play(text: string): Promise<string> {
    const client = new RawClient(listener.port).send(text);
    const timer = setTimeout(() => client.socket.end(), 60);
    const received = await client.all();
    clearTimeout(timer);
    return received;
  }

  // Request smuggling attacks. A proxy and the server may disagree on whether bytes are a body or a second request. The server must never
  // process the second request.
  const attacks: [name: string, text: string][] = [
    ['two Content-Length fields', post(`Content-Length: 0\r\nContent-Length: ${hidden.length}`, hidden)],
    ['two lengths in one Content-Length field', post(`Content-Length: 0, ${hidden.length}`, hidden)],
    ['a Content-Length with a sign', post('Content-Length: +0', hidden)],
    ['a negative Content-Length', post('Content-Length: -1', hidden)],
    ['a hexadecimal Content-Length', post('Content-Length: 0x0', hidden)],
    ['a Content-Length with a space in the number', post('Content-Length: 0 0', hidden)],
    ['an empty Content-Length', post('Content-Length:', hidden)],
    ['a space before the colon of Content-Length', post(`Content-Length : ${hidden.length}`, hidden)],
    ['a tab before the colon of Content-Length', post(`Content-Length\t: ${hidden.length}`, hidden)],
    [
      'a Content-Length before Transfer-Encoding',
      post(`Content-Length: ${hidden.length + 5}\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${hidden}`),
    ],
    [
      'a Content-Length after Transfer-Encoding',
      post(`Transfer-Encoding: chunked\r\nContent-Length: 4`, `0\r\n\r\n${hidden}`),
    ],
    ['the transfer coding xchunked', post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`)],
    ['two transfer codings in one field', post('Transfer-Encoding: identity, chunked', `0\r\n\r\n${hidden}`)],
    [
      'two Transfer-Encoding fields',
      post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${hidden}`),
    ],
    ['a control character before the transfer coding', post('Transfer-Encoding: \x0bchunked', `0\r\n\r\n${hidden}`)],
    ['a space before the colon of Transfer-Encoding', post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`)],
    [
      'a Kelvin sign instead of k in the transfer coding',
      post('Transfer-Encoding: chun\xe2\x84\xaaed', `0\r\n\r\n${hidden}`),
    ],
    [
      'a no-break space before the transfer coding',
      post('Transfer-Encoding:\r\n \xc2\xa0chunked', `0\r\n\r\n${hidden}`),
    ],
    ['a blank folded line after Transfer-Encoding', post('Transfer-Encoding: chunked\r\n ', `0\r\n\r\n${hidden}`)],
    [
      'two blank folded lines after Transfer-Encoding',
      post('Transfer-Encoding: chunked\r\n\t\r\n \r\nX: y', `0\r\n\r\n${hidden}`),
    ],
    ['a quoted transfer coding', post('Transfer-Encoding: "chunked"', `0\r\n\r\n${hidden}`)],
    ['a NUL after the transfer coding', post('Transfer-Encoding: chunked\0', `0\r\n\r\n${hidden}`)],
    ['a field name after a bare CR in a value', post(`X: y\rContent-Length: ${hidden.length}`, hidden)],
    ['chunks that end with a bare LF', post('Transfer-Encoding: chunked', `1\nx\n0\n\n${hidden}`)],
    ['a chunk longer than its declared size', post('Transfer-Encoding: chunked', `1\r\nxx\r\n0\r\n\r\n${hidden}`)],
    ['a space before a chunk size', post('Transfer-Encoding: chunked', ` 0\r\n\r\n${hidden}`)],
    ['a chunk size with the prefix 0x', post('Transfer-Encoding: chunked', `0x0\r\n\r\n${hidden}`)],
    ['a chunk size that overflows', post('Transfer-Encoding: chunked', `10000000000000000\r\n\r\n${hidden}`)],
    ['a bare CR in a chunk extension', post('Transfer-Encoding: chunked', `0;\r${hidden}\r\n\r\n`)],
    ['a bare LF in a chunk extension', post('Transfer-Encoding: chunked', `0;\n\r\n${hidden}`)],
    [
      'a chunked HTTP/1.0 body',
      `POST /front HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['a second Host field', `GET /front HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${hidden}`],
    ['a folded Host field', `GET /front HTTP/1.1\r\nHost: a\r\n b\r\n\r\n${hidden}`],
    ['two HTTP versions in the request line', `GET /front HTTP/1.1 HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`],
    ['a request after a rejected request', `GET /front HTTP/1.1\r\n\r\n${hidden}`],
    ['a request after Connection: close', `GET /front HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n${hidden}`],
  ];
  for (const [name, text] of attacks) {
    it(`request smuggling is impossible with ${name}`, async () => {
      const received = await play(text);
      expect(seen).to.not.include('/hidden');
      expect(received).to.not.include('\r\n\r\n/hidden');
    });
  }

  it('requests without ambiguous framing are not treated as smuggling', async () => {
    await play(post(`Content-Length: ${hidden.length}`, hidden) + hidden);
    expect(seen).to.deep.equal(['/front', '/hidden']);
    seen.length = 0;
    await play(post('Transfer-Encoding: chunked', `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n${hidden}`));
    expect(seen).to.deep.equal(['/front', '/hidden']);
  });
});
