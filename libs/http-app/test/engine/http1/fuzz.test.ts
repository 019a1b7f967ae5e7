import { expect } from 'chai';
import { EngineHost, serveSocket, type SocketFacts } from '../../../src/engine/index.ts';
import { HandlerServer } from '../harness.ts';
import { MemorySocket } from '../memory-socket.ts';

const facts: SocketFacts = {
  remoteAddress: '192.0.2.1',
  remotePort: 1,
  localAddress: '192.0.2.2',
  localPort: 2,
  unix: false,
  tls: null,
  notes: { opening: null, point: null },
};

/** Returns a reproducible pseudorandom number generator (mulberry32). */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

const corpus = [
  'GET / HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /a%20b/c?d=e HTTP/1.1\r\nHost: example.com:80\r\nUser-Agent: x\r\nAccept: */*\r\nCookie: a=b; c=d\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /2 HTTP/1.1\r\nHost: b\r\nConnection: close\r\n\r\n',
  'POST /x HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5;x=y\r\nhello\r\n0\r\nX-T: v\r\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\n\r\n',
  'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\nGET http://h/p HTTP/1.0\r\nConnection: keep-alive\r\nX: a\r\n b\r\n\r\n',
  'PUT /x HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\nabcCONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n',
];
const salt = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  ':',
  '0',
  'Content-Length: 7\r\n',
  'Transfer-Encoding: chunked\r\n',
  '\xff',
  '%',
  ',',
  ';',
  '\t',
  'Host: z\r\n',
  '\r\n\r\n',
];

function mutate(pick: (below: number) => number): string {
  let text = corpus[pick(corpus.length)] as string;
  for (let n = pick(6); n > 0; n--) {
    const at = pick(text.length + 1);
    const kind = pick(5);
    if (kind === 0) text = text.slice(0, at) + (salt[pick(salt.length)] as string) + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(at + 1 + pick(8));
    else if (kind === 2) text = text.slice(0, at) + String.fromCharCode(pick(256)) + text.slice(at + 1);
    else if (kind === 3) text += corpus[pick(corpus.length)] as string;
    else text = text.slice(0, at) + text.slice(pick(text.length + 1), at + pick(40)) + text.slice(at);
  }
  // The parser may detect an invalid line only when the line ends.
  return `${text}\n`;
}

/** Sends input in pieces. Returns the responses and the parsed requests. */
async function play(
  text: string,
  cuts: readonly number[],
): Promise<{ response: string; seen: string[]; errors: unknown[] }> {
  const seen: string[] = [];
  const server = new HandlerServer(async ({ method, uri, host, headers, body, response }) => {
    const content = await body.bytes(1000);
    seen.push(`${method} ${uri} ${host} ${JSON.stringify([...headers])} ${content.toString('latin1')}`);
    response.end(`${uri} ${content.length}`);
  });
  const host = new EngineHost(server);
  const socket = new MemorySocket();
  serveSocket(host, socket, facts);
  let from = 0;
  for (const cut of [...cuts, text.length]) {
    if (cut > from) socket.receive(Buffer.from(text.slice(from, cut), 'latin1'));
    from = Math.max(from, cut);
    // Lets the handlers and the stream finish.
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
  }
  const received = socket.written.replaceAll(/Date: [^\r]*\r\n/g, '').replaceAll('HTTP/1.1 100 Continue\r\n\r\n', '');
  host.cut();
  await new Promise((resolve) => setImmediate(resolve));
  const errors = server.errors.filter(
    (error) => !['ERR_HTTP', 'ERR_CLIENT_GONE'].includes((error as { code: string }).code),
  );
  return { response: received, seen, errors };
}

describe('HTTP/1 with random input', function () {
  this.timeout(60_000);

  // Attack in docs/security.md: Random bytes, split at random positions.
  it('the HTTP/1 engine sends the same valid output for random input, regardless of how the input is split', async () => {
    for (let seed = 1; seed <= 1500; seed++) {
      const pick = random(seed);
      const text = mutate(pick);
      const cuts = Array.from({ length: 1 + pick(5) }, () => pick(text.length + 1)).sort((a, b) => a - b);
      const whole = await play(text, []);
      const pieces = await play(text, cuts);
      const what = `seed ${seed}: ${JSON.stringify(text)} cut at ${cuts.join()}`;
      expect(pieces.response, what).to.equal(whole.response);
      expect(pieces.seen, what).to.deep.equal(whole.seen);
      expect(whole.errors, what).to.deep.equal([]);
      if (whole.response !== '') expect(whole.response, what).to.match(/^HTTP\/1\.[01] \d{3} /);
    }
  });
});
