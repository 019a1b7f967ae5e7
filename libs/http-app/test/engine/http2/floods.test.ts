import { expect } from 'chai';
import { frames } from '@sluice/testing';
import { listen, type TestListener } from '../harness.ts';

const { endHeaders, endStream, fields, frame, FrameClient, request, types, usual: defaults } = frames;
const { headers, reset, settings, ping, continuation, data } = types;

describe('HTTP/2 floods', () => {
  let listener: TestListener;
  before(async () => {
    listener = await listen(({ response }) => response.end('hello'));
  });
  after(() => listener.close());

  it('a CONTINUATION flood closes the HTTP/2 connection', async () => {
    const client = new FrameClient(listener.port).open();
    client.send(frame(headers, endStream, 1, fields(...defaults)));
    const piece = frame(continuation, 0, 1, fields(['x-a', 'b'.repeat(100)]));
    for (let i = 0; i < 100 && !client.closed; i++) client.send(...Array.from({ length: 50 }, () => piece));
    expect(await client.verdict()).to.match(/^(goaway \d+|closed|reset \d+)$/);
    client.close();
  });

  it('a flood of empty CONTINUATION frames closes the HTTP/2 connection', async () => {
    const client = new FrameClient(listener.port).open();
    client.send(frame(headers, endStream, 1, fields(...defaults)));
    const piece = frame(continuation, 0, 1);
    for (let i = 0; i < 100 && !client.closed; i++) client.send(...Array.from({ length: 50 }, () => piece));
    expect(await client.verdict()).to.match(/^(goaway \d+|closed|reset \d+)$/);
    client.close();
  });

  // Attack in docs/security.md: Rapid reset (CVE-2023-44487).
  it('a rapid reset flood closes the HTTP/2 connection', async () => {
    const client = new FrameClient(listener.port).open();
    const cancel = Buffer.from([0, 0, 0, 8]);
    for (let id = 1; id < 8000 && !client.closed; id += 2) client.send(request(id), frame(reset, 0, id, cancel));
    expect(await client.until(({ type }) => type === types.goAway, 3000)).to.not.equal(null);
    client.close();
  });

  for (const [what, piece] of [
    ['SETTINGS frames', frame(settings, 0, 0)],
    ['PING frames', frame(ping, 0, 0, Buffer.alloc(8))],
    ['DATA frames on closed streams', frame(data, 0, 1)],
  ] as const) {
    it(`a flood of ${what} does not increase the memory usage of the connection`, async () => {
      const client = new FrameClient(listener.port).open().send(request(1));
      await client.until(({ type }) => type === headers);
      client.pause();
      const before = process.memoryUsage().external + process.memoryUsage().arrayBuffers;
      const many = Buffer.concat(Array.from({ length: 1000 }, () => piece));
      for (let i = 0; i < 100 && !client.closed; i++) {
        client.send(many);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      const grown = process.memoryUsage().external + process.memoryUsage().arrayBuffers - before;
      client.close();
      expect(grown).to.be.below(16 * 1024 * 1024);
      const other = new FrameClient(listener.port)
        .open()
        .send(frame(headers, endHeaders | endStream, 1, fields(...defaults)));
      expect(await other.verdict()).to.equal('status 200');
      other.close();
    });
  }
});
