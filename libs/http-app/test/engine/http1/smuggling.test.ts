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
    ['two lengths', post(`Content-Length: 0\r\nContent-Length: ${hidden.length}`, hidden)],
    ['two lengths in one line', post(`Content-Length: 0, ${hidden.length}`, hidden)],
    ['a length with a sign', post('Content-Length: +0', hidden)],
    ['a length that is negative', post('Content-Length: -1', hidden)],
    ['a length in hexadecimal', post('Content-Length: 0x0', hidden)],
    ['a length with a space in it', post('Content-Length: 0 0', hidden)],
    ['an empty length', post('Content-Length:', hidden)],
    ['a length after a space before the colon', post(`Content-Length : ${hidden.length}`, hidden)],
    ['a length after a tab before the colon', post(`Content-Length\t: ${hidden.length}`, hidden)],
    [
      'a length and chunks',
      post(`Content-Length: ${hidden.length + 5}\r\nTransfer-Encoding: chunked`, `0\r\n\r\n${hidden}`),
    ],
    ['chunks and a length', post(`Transfer-Encoding: chunked\r\nContent-Length: 4`, `0\r\n\r\n${hidden}`)],
    ['a coding that looks like chunked: xchunked', post('Transfer-Encoding: xchunked', `0\r\n\r\n${hidden}`)],
    ['a coding after another', post('Transfer-Encoding: identity, chunked', `0\r\n\r\n${hidden}`)],
    ['two codings', post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', `0\r\n\r\n${hidden}`)],
    ['a coding after a control character', post('Transfer-Encoding: \x0bchunked', `0\r\n\r\n${hidden}`)],
    ['a coding after a space before the colon', post('Transfer-Encoding : chunked', `0\r\n\r\n${hidden}`)],
    ['a coding with a Kelvin sign for k', post('Transfer-Encoding: chun\xe2\x84\xaaed', `0\r\n\r\n${hidden}`)],
    ['a coding after a no-break space', post('Transfer-Encoding:\r\n \xc2\xa0chunked', `0\r\n\r\n${hidden}`)],
    ['a coding and a blank line that goes on', post('Transfer-Encoding: chunked\r\n ', `0\r\n\r\n${hidden}`)],
    ['a coding and two blank lines', post('Transfer-Encoding: chunked\r\n\t\r\n \r\nX: y', `0\r\n\r\n${hidden}`)],
    ['a coding in quotes', post('Transfer-Encoding: "chunked"', `0\r\n\r\n${hidden}`)],
    ['a coding with NUL', post('Transfer-Encoding: chunked\0', `0\r\n\r\n${hidden}`)],
    ['a name after a line feed in a value', post(`X: y\rContent-Length: ${hidden.length}`, hidden)],
    ['chunks ended by bare line feeds', post('Transfer-Encoding: chunked', `1\nx\n0\n\n${hidden}`)],
    ['a chunk longer than it says', post('Transfer-Encoding: chunked', `1\r\nxx\r\n0\r\n\r\n${hidden}`)],
    ['a chunk size after a space', post('Transfer-Encoding: chunked', ` 0\r\n\r\n${hidden}`)],
    ['a chunk size with a prefix', post('Transfer-Encoding: chunked', `0x0\r\n\r\n${hidden}`)],
    ['a chunk size that overflows', post('Transfer-Encoding: chunked', `10000000000000000\r\n\r\n${hidden}`)],
    ['a bare CR in a chunk extension', post('Transfer-Encoding: chunked', `0;\r${hidden}\r\n\r\n`)],
    ['a bare LF in a chunk extension', post('Transfer-Encoding: chunked', `0;\n\r\n${hidden}`)],
    [
      'a body of HTTP/1.0 in chunks',
      `POST /front HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ['a second Host', `GET /front HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n${hidden}`],
    ['a Host that goes on in the next line', `GET /front HTTP/1.1\r\nHost: a\r\n b\r\n\r\n${hidden}`],
    ['a request line in the request line', `GET /front HTTP/1.1 HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`],
    ['a request after a refused one', `GET /front HTTP/1.1\r\n\r\n${hidden}`],
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
