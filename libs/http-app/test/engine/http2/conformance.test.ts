import { expect } from 'chai';
import { frames, http2Checks, post, served, setting } from '@sluice/testing';
import { listen, type TestListener } from '../harness.ts';

const { ack, endStream, frame, FrameClient, preface, request, types } = frames;
const { data, headers, settings, ping, windowUpdate } = types;
const bytes = (...values: readonly number[]): Buffer => Buffer.from(values);
const number = (value: number): Buffer => {
  const payload = Buffer.alloc(4);
  payload.writeUInt32BE(value);
  return payload;
};

describe('Http2Connection conforms to RFC 9113', () => {
  let listener: TestListener;
  before(async () => {
    // Reads the body so that handlers receive its error.
    listener = await listen(async ({ body, response }) => {
      if (body.length !== 0) {
        await new Promise<void>((resolve, reject) => {
          body.consume({ onData: () => true, onEnd: resolve, onError: reject });
        });
      }
      response.end('hello');
    });
  });
  after(() => listener.close());

  for (const [section, table] of Object.entries(http2Checks)) {
    describe(section, () => {
      for (const [what, sent, verdict] of table) {
        it(`Http2Connection ${what}`, async () => {
          const client = new FrameClient(listener.port).open().send(...sent);
          expect(await client.verdict()).to.match(verdict);
          client.close();
        });
      }
    });
  }

  it('Http2Connection rejects an invalid preface (§3.4)', async () => {
    const client = new FrameClient(listener.port).send(preface.replace('SM', 'XX'), request(1));
    expect(await client.verdict(1, 1000)).to.match(/^(closed|goaway 1|nothing)$/);
    expect(client.frames.filter(({ type }) => type === headers)).to.deep.equal([]);
    client.close();
  });

  it('Http2Connection acknowledges SETTINGS (§6.5.3) and responds to PING (§6.7)', async () => {
    const client = new FrameClient(listener.port).open().send(frame(ping, 0, 0, Buffer.from('12345678')));
    expect(await client.until(({ type, flags }) => type === settings && flags === ack)).to.not.equal(null);
    const response = await client.until(({ type, flags }) => type === ping && flags === ack);
    expect(response?.payload.toString()).to.equal('12345678');
    client.close();
  });

  for (const [what, sent] of [
    [
      'a body that is longer than its Content-Length (§8.1.1)',
      [post('3'), frame(data, endStream, 1, Buffer.from('abcdef'))],
    ],
    [
      'a body that continues after its Content-Length (§8.1.1)',
      [post('3'), frame(data, 0, 1, Buffer.from('abc')), frame(data, endStream, 1, Buffer.from('d'))],
    ],
    [
      'a body that is shorter than its Content-Length (§8.1.1)',
      [post('3'), frame(data, endStream, 1, Buffer.from('a'))],
    ],
  ] as const) {
    it(`Http2Connection resets only the affected stream after ${what}`, async () => {
      const client = new FrameClient(listener.port).open().send(...sent);
      expect(await client.verdict()).to.equal('reset 1');
      client.send(request(3));
      expect(await client.verdict(3)).to.match(served);
      client.close();
    });
  }

  // Attack in docs/security.md: Bodies longer than declared, stream window overflows, unsolicited PING acknowledgments.
  it('Http2Connection ignores an unsolicited PING acknowledgment (§6.7)', async () => {
    const client = new FrameClient(listener.port).open().send(frame(ping, ack, 0, Buffer.from('12345678')));
    client.send(request(1));
    expect(await client.verdict()).to.match(served);
    expect(client.frames.filter(({ type, flags }) => type === ping && flags === ack)).to.deep.equal([]);
    client.close();
  });

  it('Http2Connection closes connections that keep causing stream errors (§5.4)', async () => {
    const client = new FrameClient(listener.port).open();
    for (let i = 0; i < 200 && !client.closed; i++) client.send(frame(ping, ack, 0, Buffer.from('12345678')));
    const isEnd = ({ type }: { type: number }): boolean => type === types.goAway;
    for (let i = 0; i < 50 && !client.closed; i++) {
      await client.until(isEnd, 10);
      client.send(...Array.from({ length: 200 }, () => frame(headers, 0x5, 1, Buffer.from([0x80]))));
    }
    expect(client.closed || client.frames.some(isEnd)).to.equal(true);
    client.close();
  });

  it('Http2Connection closes the connection if a stream identifier decreases (§5.1.1)', async () => {
    const client = new FrameClient(listener.port).open().send(request(5));
    expect(await client.verdict(5)).to.match(served);
    client.send(request(3));
    expect(await client.verdict(3)).to.equal('goaway 5');
    expect(client.frames.filter(({ stream }) => stream === 3)).to.deep.equal([]);
    client.close();
  });

  it('Http2Connection refuses streams above the announced limit (§5.1.2)', async () => {
    const client = new FrameClient(listener.port).open();
    const waiting = Array.from({ length: 251 }, (_, i) =>
      post('1')
        .fill(0, 5, 9)
        .fill(bytes(0, 0, (2 * i + 1) >> 8, (2 * i + 1) & 255), 5, 9),
    );
    client.send(...waiting);
    expect(await client.verdict(501)).to.match(/^(reset (1|7)|goaway 1)$/);
    client.close();
  });

  it('Http2Connection sends no more than the flow-control windows allow (§5.2, §6.9)', async () => {
    const small = await listen(({ response }) => response.end(Buffer.alloc(5000)));
    const client = new FrameClient(small.port).send(preface, setting(4, 1000).subarray(0), request(1));
    const size = (): number =>
      client.frames.filter(({ type }) => type === data).reduce((sum, { payload }) => sum + payload.length, 0);
    await client.until(({ type }) => type === data);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(size()).to.equal(1000);
    client.send(frame(windowUpdate, 0, 1, number(500)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(size()).to.equal(1500);
    client.send(frame(windowUpdate, 0, 1, number(10_000)));
    await client.until(({ type, flags }) => type === data && (flags & endStream) > 0);
    expect(size()).to.equal(5000);
    client.close();
    await small.close();
  });
});
