import { once } from 'node:events';
import { expect } from 'chai';
import { reportFault } from '@sluice/base';
import { ServerConnection, writeResult, type Http2Stream } from '@sluice/http2';
import { frames } from '@sluice/testing';
import { emptyBody } from '../../../src/exchange/body.ts';
import { StreamTunnel } from '../../../src/engine/http2/tunnel.ts';

const { endStream, frame, preface, request, types } = frames;

describe('StreamTunnel', () => {
  it('StreamTunnel closes both directions if both sides end during a write', async () => {
    const written: Buffer[] = [];
    const transport = {
      write: (bytes: Buffer, end: number) => {
        written.push(Buffer.from(bytes.subarray(0, end)));
        return writeResult.copied;
      },
      end: () => undefined,
      destroy: () => undefined,
    };
    const closings: number[] = [];
    const streams: Http2Stream[] = [];
    let tunnel: StreamTunnel | null = null;
    const fault = (error: unknown): void => reportFault({ part: 'connection', error });
    const handler = {
      fault,
      fieldLimits: { bytes: 1000, count: 10, kept: new Set<string>() },
      onRequest: (stream: Http2Stream) => {
        streams.push(stream);
        stream.owner = {
          fault,
          onData: () => undefined,
          onEnd: () => undefined,
          onSent: () => tunnel?.sent(),
          onClose: (code: number) => closings.push(code),
        };
      },
      onStreamClosed: () => undefined,
      onEnding: () => undefined,
      onAbuse: () => undefined,
    };
    const windows = { maxStreams: 10, streamWindow: 100_000, connectionWindow: 100_000 };
    const connection = new ServerConnection(transport, handler, windows);
    const begin = Buffer.concat([Buffer.from(preface, 'latin1'), frame(types.settings, 0, 0), request(1)]);
    connection.read(begin, begin.length);
    connection.outbound.written();
    const [stream] = streams as [Http2Stream];
    stream.respond([':status', '200'], false);
    tunnel = new StreamTunnel(stream, emptyBody);
    tunnel.resume();
    tunnel.end('all of it');
    await once(tunnel, 'close');
    expect(closings).to.deep.equal([]);
    connection.outbound.written();
    const data = Buffer.concat(written.slice(1));
    expect(data.includes('all of it')).to.equal(true);
    expect(data.subarray(-9).equals(frame(types.data, endStream, 1))).to.equal(true);
    expect(closings).to.deep.equal([0]);
  });
});
