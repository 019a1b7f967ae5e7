import { expect } from 'chai';
import { randomBytes } from 'node:crypto';
import type { JsonObject } from '@sluice/base';
import { Qlog } from '@sluice/quic';
import { Collector, FakeTls, Peer, Simulation, type NetworkLink } from '@sluice/testing/quic';

interface Event {
  readonly time: number;
  readonly name: string;
  readonly data: JsonObject & { readonly frames?: readonly JsonObject[] };
}

/** Returns the records in a JSON text sequence (RFC 7464). */
function recordsOf(text: string): JsonObject[] {
  expect(text.startsWith('\u001e')).to.equal(true);
  return text
    .slice(1)
    .split('\u001e')
    .map((record) => {
      expect(record.endsWith('\n')).to.equal(true);
      return JSON.parse(record) as JsonObject;
    });
}

/** Uploads `size` bytes to a server that writes a qlog. Returns the log records. */
function logged(link: Partial<NetworkLink>, size: number, maxBytes = 1 << 24): { text: string; log: Qlog } {
  let text = '';
  let log: Qlog | null = null as Qlog | null;
  const users: Peer[] = [];
  let ends = 0;
  const simulation = new Simulation(link, {
    server: {
      acceptor: {
        accept: ({ destination }) => {
          const group = destination.toString('hex');
          log = new Qlog({
            isServer: true,
            group,
            maxBytes,
            write: (records) => (text += records),
            onEnd: () => (ends += 1),
          });
          const user = new Peer();
          users.push(user);
          return { user, tls: (parameters) => new FakeTls(true, parameters), log };
        },
      },
    },
  });
  const client = simulation.connect();
  simulation.clock.run(() => client.confirmed);
  users[0]!.onNewStream = (stream) => {
    const collector = new Collector(stream);
    collector.onFinished = (data) => {
      stream.write(data);
      stream.end();
    };
  };
  const stream = client.openStream(true)!;
  const own = new Collector(stream);
  stream.write(randomBytes(size));
  stream.end();
  simulation.clock.run(() => own.closed, 60_000);
  client.close(0x100, 'done');
  simulation.clock.run(() => users[0]!.closed !== null, 1000);
  expect(ends).to.equal(1);
  simulation.close();
  return { text, log: log! };
}

describe('Qlog', () => {
  const eventsOf = (text: string): Event[] => recordsOf(text).slice(1) as unknown as Event[];

  it('Qlog describes a connection as a JSON text sequence', () => {
    const { text } = logged({ loss: 0.05 }, 300_000);
    const [header] = recordsOf(text);
    expect(header).to.include({ serialization_format: 'application/qlog+json-seq', qlog_version: '0.3' });
    const events = eventsOf(text);
    expect(new Set(events.map(({ name }) => name))).to.include.keys(
      'transport:packet_sent',
      'transport:packet_received',
      'transport:parameters_set',
      'recovery:metrics_updated',
      'recovery:packet_lost',
      'recovery:congestion_state_updated',
      'connectivity:connection_closed',
    );
    const times = events.map(({ time }) => time);
    expect(times).to.deep.equal(times.toSorted((a, b) => a - b));
    expect(events.at(-1)?.data).to.include({ owner: 'remote', application_code: 0x100, reason: 'done' });
  });

  it('Qlog describes every packet with its frames', () => {
    const events = eventsOf(logged({}, 100_000).text);
    const sent = events.filter(({ name }) => name === 'transport:packet_sent');
    const numbers = sent
      .filter(({ data }) => (data['header'] as JsonObject)['packet_type'] === '1RTT')
      .map(({ data }) => (data['header'] as JsonObject)['packet_number']);
    expect(numbers).to.deep.equal(numbers.map((_, i) => i));
    const frames = sent.flatMap(({ data }) => data.frames ?? []).filter((frame) => frame['stream_id'] === 0);
    const stream = frames.filter((frame) => frame['frame_type'] === 'stream');
    expect(stream.reduce((sum, frame) => sum + Number(frame['length']), 0)).to.equal(100_000);
    expect(stream.at(-1)?.['fin']).to.equal(true);
    expect(sent.flatMap(({ data }) => data.frames ?? []).some(({ frame_type: type }) => type === 'unknown')).to.equal(
      false,
    );
  });

  it('Qlog stops at its maximum size', () => {
    const { text, log } = logged({}, 300_000, 10_000);
    expect(text.length).to.be.within(9000, 10_000);
    expect(log.truncated).to.equal(true);
    expect(recordsOf(text).length).to.be.above(10);
  });
});
