import { connect } from 'node:net';
import { expect } from 'chai';
import { Deadlines } from '../../src/engine/deadlines.ts';
import { listen } from './harness.ts';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const never = Number.POSITIVE_INFINITY;

describe('Deadlines', () => {
  // Attack in docs/security.md: Headers and bodies sent one byte at a time, or never completed.
  it('Deadlines runs a single sweep for deadlines that are close together, and does not sweep before the first deadline', async () => {
    const sweeps: number[] = [];
    const start = performance.now();
    const deadlines = new Deadlines((now) => {
      sweeps.push(now - start);
      return never;
    });
    for (let i = 0; i < 20; i++) deadlines.add(start + 60 + i);
    await sleep(250);
    expect(sweeps).to.have.length(1);
    expect(sweeps[0]).to.be.greaterThan(78);
  });

  it('Deadlines reschedules for an earlier deadline, and continues with the next deadline', async () => {
    const sweeps: number[] = [];
    const start = performance.now();
    const deadlines = new Deadlines((now) => {
      sweeps.push(now - start);
      return sweeps.length === 1 ? start + 150 : never;
    });
    deadlines.add(start + 5000);
    deadlines.add(start + 20);
    await sleep(400);
    expect(sweeps).to.have.length(2);
    expect(sweeps[0]).to.be.within(20, 1000);
    expect(sweeps[1]).to.be.greaterThan(150);
    deadlines.stop();
  });

  it('Deadlines does not close a connection whose request arrived in time while the thread was busy', async () => {
    const listener = await listen(({ response }) => response.end('ok'), { idleTimeout: 100 });
    const client = connect({ port: listener.port, host: '127.0.0.1', noDelay: true });
    const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    let text = '';
    client.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      if (text.split('ok').length !== 2) return;
      // The thread is blocked, so expired timers run before the next reads.
      client.write(request);
      const until = performance.now() + 400;
      while (performance.now() < until);
    });
    client.write(request);
    await sleep(600);
    expect(text.split('HTTP/1.1 200').length - 1).to.equal(2);
    client.destroy();
    await listener.close();
  });

  it('Deadlines can be stopped', async () => {
    let swept = false;
    const deadlines = new Deadlines(() => {
      swept = true;
      return never;
    });
    deadlines.add(performance.now());
    deadlines.stop();
    await sleep(120);
    expect(swept).to.equal(false);
  });
});
