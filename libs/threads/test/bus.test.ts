import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { Channel, ControlBus, question, topic, WorkerBus, type ThreadBus } from '@sluice/threads';
import { createLogger, silentLogger, SluiceError, type LogEntry } from '@sluice/base';
import { wrap } from './fake-threads.ts';

const numbers = topic<number>('numbers');
const double = question<number, number>('double');

interface Buses {
  readonly control: ThreadBus;
  /** Buses of the traffic threads. In a single-threaded server, this is the bus of the control thread. */
  readonly traffic: readonly ThreadBus[];
  close(): void;
}

function oneThread(): Buses {
  const control = new ControlBus(silentLogger);
  return { control, traffic: [control], close: () => {} };
}

function threeThreads(): Buses {
  const control = new ControlBus(silentLogger);
  const closers: (() => void)[] = [];
  const traffic = [1, 2].map((thread) => {
    const { port1, port2 } = new MessageChannel();
    closers.push(() => port1.close());
    const bus = new WorkerBus(thread, new Channel(wrap(port2), silentLogger));
    bus.open(silentLogger);
    control.attach(thread, new Channel(wrap(port1), silentLogger));
    return bus;
  });
  return { control, traffic, close: () => closers.forEach((close) => close()) };
}

const arrived = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

for (const [name, make] of [
  ['one thread', oneThread],
  ['two workers', threeThreads],
] as const) {
  describe(`ThreadBus of ${name}`, () => {
    let buses: Buses;
    beforeEach(() => {
      buses = make();
    });
    afterEach(() => buses.close());

    it('ThreadBus.broadcast reaches every thread in order, asynchronously', async () => {
      const received = buses.traffic.map((bus) => {
        const list: number[] = [];
        bus.onBroadcast(numbers, (number) => list.push(number));
        return list;
      });
      buses.control.broadcast(numbers, 1);
      buses.control.broadcast(numbers, 2);
      expect(received.flat()).to.deep.equal([]);
      await arrived();
      expect(received).to.deep.equal(buses.traffic.map(() => [1, 2]));
    });

    it('ThreadBus.thread is 0 for the control thread, and starts at 1 for workers', () => {
      expect(buses.control.thread).to.equal(0);
      expect(buses.traffic.map(({ thread }) => thread)).to.deep.equal(name === 'one thread' ? [0] : [1, 2]);
    });

    it('ThreadBus.report reaches the control thread with the thread number', async () => {
      const received: [number, number][] = [];
      buses.control.onReport(numbers, (number, thread) => received.push([number, thread]));
      buses.traffic.forEach((bus, index) => bus.report(numbers, index));
      await arrived();
      expect(received).to.deep.equal(buses.traffic.map((bus, index) => [index, bus.thread]));
    });

    it('ThreadBus.ask sends a question to the control thread', async () => {
      buses.control.onAsk(double, (number) => number * 2);
      expect(await Promise.all(buses.traffic.map((bus, index) => bus.ask(double, index)))).to.deep.equal(
        buses.traffic.map((_, index) => index * 2),
      );
    });

    it('ThreadBus.ask rejects with the error of the responder', async () => {
      buses.control.onAsk(double, () => {
        throw new SluiceError('ERR_TEST', 'no', { status: 418, where: 'here' });
      });
      const error = await buses.traffic[0]!.ask(double, 1).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.include({ code: 'ERR_TEST', status: 418, where: 'here', message: 'here: no' });
    });

    it('ThreadBus.ask rejects if there is no responder', async () => {
      const error = await buses.traffic[0]!.ask(double, 1).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.include({ code: 'ERR_NO_RESPONDER' });
    });

    it('ThreadBus uses the most recent responder, and falls back to the previous responder after the most recent one is removed', async () => {
      buses.control.onAsk(double, () => 1);
      const end = buses.control.onAsk(double, () => 2);
      expect(await buses.traffic[0]!.ask(double, 0)).to.equal(2);
      end();
      expect(await buses.traffic[0]!.ask(double, 0)).to.equal(1);
    });

    it('ThreadBus.gather returns the responses of all threads with a responder', async () => {
      for (const bus of buses.traffic) bus.onGather(double, (number) => number * 10 + bus.thread);
      const responses = await buses.control.gather(double, 1);
      expect(responses.sort((a, b) => a - b)).to.deep.equal(buses.traffic.map((bus) => 10 + bus.thread));
    });

    it('ThreadBus continues to deliver messages if a receiver fails', async () => {
      const received: number[] = [];
      buses.traffic[0]!.onBroadcast(numbers, () => {
        throw new Error('a bad receiver');
      });
      buses.traffic[0]!.onBroadcast(numbers, (number) => received.push(number));
      buses.control.broadcast(numbers, 7);
      await arrived();
      expect(received).to.deep.equal([7]);
    });

    it('ThreadBus subscriptions can be removed', async () => {
      const received: number[] = [];
      const end = buses.traffic[0]!.onBroadcast(numbers, (number) => received.push(number));
      end();
      buses.control.broadcast(numbers, 7);
      await arrived();
      expect(received).to.deep.equal([]);
    });
  });
}

describe('WorkerBus', () => {
  it('WorkerBus rejects operations of the control thread', () => {
    const { port1, port2 } = new MessageChannel();
    const bus: ThreadBus = new WorkerBus(1, new Channel(wrap(port2), silentLogger));
    expect(() => bus.broadcast(numbers, 1)).to.throw(SluiceError, 'only the control thread');
    expect(() => bus.onReport(numbers, () => {})).to.throw(SluiceError, 'only the control thread');
    port1.close();
  });
});

describe('Channel', () => {
  it('Channel.close rejects pending and later questions', async () => {
    const { port1, port2 } = new MessageChannel();
    const channel = new Channel(wrap(port1), silentLogger);
    const waiting = channel.ask('anything', null).then(
      () => null,
      (reason: unknown) => reason,
    );
    channel.close('it died');
    expect(await waiting).to.include({ code: 'ERR_THREAD_GONE', message: 'it died' });
    const later = await channel.ask('anything', null).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(later).to.include({ code: 'ERR_THREAD_GONE' });
    port2.close();
  });

  it('Channel responds with an error if the response cannot be cloned', async () => {
    const { port1, port2 } = new MessageChannel();
    const here = new Channel(wrap(port1), silentLogger);
    const there = new Channel(wrap(port2), silentLogger);
    there.respond('function', () => () => {});
    there.open({ message: () => {}, question: () => null });
    here.open({ message: () => {}, question: () => null });
    const error = await here.ask('function', null).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(SluiceError);
    port1.close();
  });

  it('ControlBus logs failed responses, but not missing responses or exiting threads', async () => {
    const entries: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
    const control = new ControlBus(log);
    const workers = [1, 2, 3, 4].map((thread) => {
      const { port1, port2 } = new MessageChannel();
      const bus = new WorkerBus(thread, new Channel(wrap(port2), silentLogger));
      bus.open(silentLogger);
      const channel = new Channel(wrap(port1), silentLogger);
      control.attach(thread, channel);
      return { bus, channel, close: () => port1.close() };
    });
    workers[0]?.bus.onGather(double, (body) => body * 2);
    workers[1]?.bus.onGather(double, () => {
      throw new Error('not today');
    });
    workers[2]?.bus.onGather(double, () => new Promise(() => undefined));
    const gathered = control.gather(double, 21);
    await arrived();
    workers[2]?.channel.close('it died');
    expect(await gathered).to.deep.equal([42]);
    expect(entries.map(({ level, message, fields }) => [level, message, fields])).to.deep.equal([
      [
        'warn',
        'thread failed to respond to the control thread',
        { topic: 'double', error: 'not today', code: 'ERR_THREAD' },
      ],
    ]);
    for (const { close } of workers) close();
  });

  it('Channel logs the error of a message receiver that fails', async () => {
    const entries: LogEntry[] = [];
    const log = createLogger({ enabled: () => true, write: (entry) => entries.push(entry) });
    const { port1, port2 } = new MessageChannel();
    new Channel(wrap(port1), log).open({
      message: () => {
        throw new Error('oh');
      },
      question: () => null,
    });
    new Channel(wrap(port2), log).send('topic', 1);
    await arrived();
    expect(entries.map(({ fields }) => fields)).to.deep.equal([{ topic: 'topic', error: 'oh' }]);
    port1.close();
  });
});
