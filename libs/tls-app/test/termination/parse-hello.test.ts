import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseHello, type HelloFacts } from '../../src/termination/parse-hello.ts';

/** Returns the first bytes that a Node TLS client sends. */
async function helloOf(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect({ port: (server.address() as AddressInfo).port, ...options }).on('error', () => undefined);
  const [socket] = (await once(server, 'connection')) as [NodeJS.Socket & { destroy(): void }];
  const [bytes] = (await once(socket as never, 'data')) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

/** Splits the message of a TLS record into records of the given size. */
function fragmented(bytes: Buffer, size: number): Buffer {
  const message = bytes.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    const head = Buffer.from([22, 3, 1, 0, 0]);
    head.writeUInt16BE(piece.length, 3);
    records.push(head, piece);
  }
  return Buffer.concat(records);
}

describe('parseHello', () => {
  let bytes: Buffer;
  let facts: HelloFacts;
  before(async () => {
    bytes = await helloOf({ servername: 'A.Example.', ALPNProtocols: ['h2', 'x'], minVersion: 'TLSv1.2' });
    facts = parseHello(bytes, bytes.length) as HelloFacts;
  });

  it('parseHello reads the ClientHello fields that are needed for decisions', async () => {
    expect(facts.serverName).to.equal('a.example');
    expect(facts.protocols).to.deep.equal(['h2', 'x']);
    expect(facts.versions).to.include.members([0x0304, 0x0303]);
    expect(facts.cipherSuites).to.include(0x1301);
    expect(facts.signatureSchemes).to.include(0x0403);
    const old = await helloOf({ maxVersion: 'TLSv1.2', servername: '' });
    expect(parseHello(old, old.length)).to.deep.include({ serverName: '', protocols: [], versions: [0x0303] });
  });

  it('parseHello requests more bytes until the ClientHello is complete, for any number of records', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 700 }), fc.nat(), (size, cut) => {
        const whole = fragmented(bytes, size);
        expect(parseHello(whole, whole.length)).to.deep.equal(facts);
        expect(parseHello(whole, cut % whole.length)).to.equal('incomplete');
      }),
      { numRuns: 200 },
    );
  });

  // Attack in docs/security.md: Random bytes instead of a ClientHello; fragmented ClientHellos.
  it('parseHello handles arbitrary bytes', () => {
    const damaged = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })).map(([at, value]) => {
      const copy = Buffer.from(bytes);
      copy[at % copy.length] = value;
      return copy;
    });
    const noise = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const framed = noise.map((body) => Buffer.concat([Buffer.from([22, 3, 1, 0, body.length & 0xff]), body]));
    fc.assert(
      fc.property(fc.oneof(damaged, noise, framed), (input) => {
        const parsed = parseHello(input, input.length);
        expect(typeof parsed === 'object' || parsed === 'foreign' || parsed === 'incomplete').to.equal(true);
      }),
      { numRuns: 2000 },
    );
  });

  const foreign: readonly [string, string][] = [
    ['an HTTP request', 'GET / HTTP/1.1'],
    ['a record of another version', '\x16\x02'],
    ['an empty record', '\x16\x03\x01\x00\x00'],
    ['another handshake message', '\x16\x03\x01\x00\x05\x02\x00\x00\x01\x00'],
    ['a handshake message that is too long', '\x16\x03\x01\x00\x05\x01\x7f\x00\x00\x00'],
    ['a record that is too long', '\x16\x03\x01\xff\xff'],
  ];
  for (const [what, text] of foreign) {
    it(`parseHello reports that ${what} is not a ClientHello`, () => {
      expect(parseHello(Buffer.from(text, 'latin1'), text.length)).to.equal('foreign');
    });
  }
});
