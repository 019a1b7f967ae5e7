import { MessageChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { Channel, ControlBus, question, topic, WorkerBus, type ThreadBus } from '@sluice/threads';
import { createLogger, silentLogger, SluiceError, type LogEntry } from '@sluice/base';
import { wrap } from './fake-threads.ts';

const numbers = topic<number>('numbers');
const double = question<number, number>('double');

interface Buses {
  readonly control: ThreadBus;
  /** Buses of threads that serve traffic; with one thread that is the control thread's. */
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

    it('broadcasts to every thread, in order, and not before the sender has gone on', async () => {
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

    it('knows the number of its thread: the control thread is 0, workers count from 1', () => {
      expect(buses.control.thread).to.equal(0);
      expect(buses.traffic.map(({ thread }) => thread)).to.deep.equal(name === 'one thread' ? [0] : [1, 2]);
    });

    it('reports to the control thread, with the number of the thread', async () => {
      const received: [number, number][] = [];
      buses.control.onReport(numbers, (number, thread) => received.push([number, thread]));
      buses.traffic.forEach((bus, index) => bus.report(numbers, index));
      await arrived();
      expect(received).to.deep.equal(buses.traffic.map((bus, index) => [index, bus.thread]));
    });

    it('asks the control thread', async () => {
      buses.control.onAsk(double, (number) => number * 2);
      expect(await Promise.all(buses.traffic.map((bus, index) => bus.ask(double, index)))).to.deep.equal(
        buses.traffic.map((_, index) => index * 2),
      );
    });

    it('gives the error of the one who responds to the one who asks', async () => {
      buses.control.onAsk(double, () => {
        throw new SluiceError('ERR_TEST', 'no', { status: 418, where: 'here' });
      });
      const error = await buses.traffic[0]!.ask(double, 1).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.include({ code: 'ERR_TEST', status: 418, where: 'here', message: 'here: no' });
    });

    it('refuses a question that nothing responds to', async () => {
      const error = await buses.traffic[0]!.ask(double, 1).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.include({ code: 'ERR_NO_RESPONDER' });
    });

    it('lets the last registration respond, and the one before again when it ends', async () => {
      buses.control.onAsk(double, () => 1);
      const end = buses.control.onAsk(double, () => 2);
      expect(await buses.traffic[0]!.ask(double, 0)).to.equal(2);
      end();
      expect(await buses.traffic[0]!.ask(double, 0)).to.equal(1);
    });

    it('gathers the responses of all threads that have one', async () => {
      for (const bus of buses.traffic) bus.onGather(double, (number) => number * 10 + bus.thread);
      const responses = await buses.control.gather(double, 1);
      expect(responses.sort((a, b) => a - b)).to.deep.equal(buses.traffic.map((bus) => 10 + bus.thread));
    });

    it('goes on when a receiver fails', async () => {
      const received: number[] = [];
      buses.traffic[0]!.onBroadcast(numbers, () => {
        throw new Error('a bad receiver');
      });
      buses.traffic[0]!.onBroadcast(numbers, (number) => received.push(number));
      buses.control.broadcast(numbers, 7);
      await arrived();
      expect(received).to.deep.equal([7]);
    });

    it('ends a subscription', async () => {
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
  it('refuses what only the control thread can do', () => {
    const { port1, port2 } = new MessageChannel();
    const bus: ThreadBus = new WorkerBus(1, new Channel(wrap(port2), silentLogger));
    expect(() => bus.broadcast(numbers, 1)).to.throw(SluiceError, 'only the control thread');
    expect(() => bus.onReport(numbers, () => {})).to.throw(SluiceError, 'only the control thread');
    port1.close();
  });
});

describe('Channel', () => {
  it('rejects questions that wait when the other thread is gone, and later ones', async () => {
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

  it('responds with an error when the response cannot be sent, rather than never', async () => {
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

  it('logs a response that fails, and not threads that have none or go meanwhile', async () => {
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

  it('logs a receiver of messages that fails', async () => {
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
