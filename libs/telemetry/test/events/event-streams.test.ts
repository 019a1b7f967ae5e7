import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import type { AdminResponse } from '@sluice/registry';
import { EventStreams } from '@sluice/telemetry';

/** A client of an event stream. A slow client reads only when the test triggers it. */
class Client extends ServerResponse implements AdminResponse {
  readonly events: string[] = [];
  override readonly writableNeedDrain: boolean;

  constructor(isSlow = false) {
    super(new IncomingMessage(new Socket()));
    this.writableNeedDrain = isSlow;
  }

  override write(chunk: string): boolean {
    this.events.push(chunk);
    return true;
  }

  read(): void {
    Object.defineProperty(this, 'writableNeedDrain', { value: false });
    this.emit('drain');
  }

  status(): this {
    return this;
  }

  set(): this {
    return this;
  }

  type(): this {
    return this;
  }

  json(): this {
    return this;
  }

  send(): this {
    return this;
  }
}

describe('EventStreams', () => {
  const streamsOf = (clients: number, waiting: number): EventStreams =>
    new EventStreams({ clients, waiting, full: (limit) => new Error(`${limit} are too many`) });

  it('EventStreams limits the number of clients, and frees slots of disconnected clients', async () => {
    const streams = streamsOf(2, 9);
    let ended = 0;
    const follow = () => (): void => void ended++;
    const first = new Client();
    const served = streams.send(first, follow);
    const failing = streams.send(new Client(), () => {
      throw new Error('it cannot be followed');
    });
    expect(await failing.catch(String)).to.equal('Error: it cannot be followed');
    const second = new Client();
    const also = streams.send(second, follow);
    expect(await streams.send(new Client(), follow).catch(String)).to.equal('Error: 2 are too many');
    first.emit('close');
    await served;
    expect(ended).to.equal(1);
    const third = new Client();
    const last = streams.send(third, follow);
    for (const client of [second, third]) client.emit('close');
    await Promise.all([also, last]);
    expect(ended).to.equal(3);
  });

  it('EventStreams sends events, and drops the oldest events for a slow client', async () => {
    const client = new Client(true);
    const served = streamsOf(1, 2).send(client, (sendEvent) => {
      for (const data of ['1', '2', '3']) sendEvent('number', data);
      return () => undefined;
    });
    expect(client.events).to.deep.equal([]);
    client.read();
    expect(client.events).to.deep.equal(['event: number\ndata: 2\n\n', 'event: number\ndata: 3\n\n']);
    client.emit('close');
    await served;
  });
});
