import { expect } from 'chai';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@sluice/base';
import { QuicLogRecorder, QuicLogStore } from '@sluice/http-observability';
import type { CloseReason } from '@sluice/quic';
import { ControlBus } from '@sluice/threads';
import { readLogRequest } from '../../src/qlogs/read-log-request.ts';

const done: CloseReason = { code: 0, application: false, reason: 'done', by: 'peer' };

describe('logs of QUIC connections', () => {
  let store: QuicLogStore;
  let recorder: QuicLogRecorder;
  beforeEach(() => {
    const bus = new ControlBus(silentLogger);
    store = new QuicLogStore(bus);
    recorder = new QuicLogRecorder(bus);
  });
  afterEach(() => {
    store.clear();
  });

  /** Waits until messages between threads have arrived. */
  const settled = (): Promise<void> => sleep(20);
  const begin = (client: string): ReturnType<QuicLogRecorder['begin']> =>
    recorder.begin(client, Buffer.from('0102', 'hex'));

  it('QUIC connections are not logged unless a client requests logs', async () => {
    expect(begin('192.0.2.1')).to.equal(null);
    await settled();
    expect(store.logs()).to.deep.equal([]);
  });

  it('QUIC connections are logged up to the requested number, in the qlog format', async () => {
    store.begin({ client: [], count: 2, seconds: 60 });
    await settled();
    const logs = [begin('192.0.2.1'), begin('192.0.2.2'), begin('192.0.2.3')];
    expect(logs.map((log) => log !== null)).to.deep.equal([true, true, false]);
    logs[0]!.dropped(1200, 5);
    for (const log of logs) log?.closed(done, 6);
    await settled();
    expect(store.logs().map(({ id, client, state }) => [id, client, state])).to.deep.equal([
      ['q1-1', '192.0.2.1', 'closed'],
      ['q1-2', '192.0.2.2', 'closed'],
    ]);
    expect(store.requests()[0]).to.include({ state: 'over', logged: 2 });
    const records = store
      .text('q1-1')!
      .split('\u001e')
      .slice(1)
      .map((record) => JSON.parse(record) as { name?: string });
    expect(records.map(({ name }) => name)).to.deep.equal([
      undefined,
      'transport:packet_dropped',
      'connectivity:connection_closed',
    ]);
    expect(store.text('q9-9')).to.equal(null);
  });

  it('QUIC connections are logged only for the requested clients', async () => {
    store.begin({ client: ['192.0.2.0/24', '2001:db8::1'], count: 10, seconds: 60 });
    await settled();
    expect(begin('198.51.100.1')).to.equal(null);
    expect(begin('192.0.2.9')).to.not.equal(null);
    expect(begin('2001:db8::1')).to.not.equal(null);
  });

  it('log records of open QUIC connections become available shortly after they are written', async () => {
    store.begin({ client: [], count: 1, seconds: 60 });
    await settled();
    begin('192.0.2.1')!.dropped(1200, 5);
    await sleep(300);
    expect(store.logs()[0]).to.include({ state: 'open', truncated: false });
    expect(store.text('q1-1')).to.include('packet_dropped');
  });

  it('QUIC logs are limited in total size, and the number of active log requests is limited', async () => {
    for (let i = 0; i < 4; i++) store.begin({ client: [], count: 20, seconds: 60 });
    expect(() => store.begin({ client: [], count: 1, seconds: 60 })).to.throw(
      'too many active QUIC connection logs (limit: 4)',
    );
    await settled();
    const packet = { which: 2, number: 1, size: 1200, bytes: Buffer.alloc(2000, 1), start: 0, end: 2000 };
    for (let i = 0; i < 10; i++) {
      const log = begin('192.0.2.1')!;
      for (let n = 0; n < 200; n++) log.packet('sent', packet, n);
      log.closed(done, 1000);
      await settled();
    }
    const logs = store.logs();
    expect(logs.every(({ bytes, truncated }) => truncated && bytes <= 4 * 1024 * 1024)).to.equal(true);
    expect(logs.reduce((sum, { bytes }) => sum + bytes, 0)).to.be.at.most(32 * 1024 * 1024);
    expect(logs.length).to.be.below(10);
  });

  it('readLogRequest parses and validates a request', () => {
    expect(readLogRequest(Buffer.alloc(0))).to.deep.equal({ client: [], count: 1, seconds: 60 });
    expect(readLogRequest(Buffer.from('{"client": "10.0.0.0/8", "count": 3, "seconds": 5}'))).to.deep.equal({
      client: ['10.0.0.0/8'],
      count: 3,
      seconds: 5,
    });
    for (const [body, message] of [
      ['[]', 'body: must be an object'],
      ['{"client": "example.com"}', 'client: '],
      ['{"client": 1}', 'client: must be an IP address'],
      ['{"count": 21}', 'count: must be an integer from 1 to 20'],
      ['{"seconds": 0}', 'seconds: must be an integer from 1 to 600'],
      ['{"size": 1}', 'size: is unknown'],
    ] as const)
      expect(() => readLogRequest(Buffer.from(body)), body).to.throw(message);
  });
});
