import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { ControlBus } from '@sluice/threads';
import { RequestSamples } from '../../src/samples/request-samples.ts';
import { sampledTopic } from '../../src/samples/sample.ts';

/** Returns a pseudorandom number generator for numbers from 0 to 1 with a fixed seed (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const noBodies = { maxBody: 0, allBodies: false, persist: false };

function samplesWith(perRoute: number, maxRequests: number): RequestSamples {
  const samples = new RequestSamples(new ControlBus(silentLogger), randomFrom(1));
  samples.configure({ ...noBodies, perRoute, maxRequests });
  return samples;
}

describe('RequestSamples', () => {
  it('RequestSamples keeps at most the configured number of records per route', () => {
    const samples = samplesWith(4, 100);
    for (let i = 0; i < 50; i++) samples.add('a', JSON.stringify({ i }), Date.now() + i);
    samples.add('b', '{}');
    expect(samples.count).to.equal(5);
    expect(samples.records()).to.have.length(5);
    expect(samples.records(2)).to.have.length(2);
    expect(samples.records(1)).to.deep.equal([{ i: 49 }]);
  });

  it('RequestSamples keeps the records of rarely used routes if the total limit is exceeded', () => {
    const samples = samplesWith(100, 120);
    samples.add('rare', '"rare"');
    for (let i = 0; i < 1000; i++) samples.add(`busy ${i % 2}`, JSON.stringify(i));
    expect(samples.count).to.equal(120);
    expect(samples.records()).to.include('rare');
  });

  it('RequestSamples drops records when its limits are lowered', () => {
    const samples = samplesWith(10, 100);
    for (let i = 0; i < 30; i++) samples.add(`route ${i % 3}`, '{}');
    samples.configure({ ...noBodies, perRoute: 5, maxRequests: 12 });
    expect(samples.count).to.equal(12);
    samples.configure({ ...noBodies, perRoute: 0, maxRequests: 12 });
    expect(samples.count).to.equal(0);
    samples.add('a', '{}');
    expect(samples.count).to.equal(0);
  });

  it('RequestSamples drops records after a week', () => {
    const samples = samplesWith(10, 100);
    samples.add('a', '"old"', Date.now() - 8 * 86_400_000);
    samples.add('a', '"new"');
    expect(samples.records()).to.deep.equal(['new']);
    expect(samples.count).to.equal(1);
  });

  it('RequestSamples receives the records from the traffic threads', async () => {
    const bus = new ControlBus(silentLogger);
    const samples = new RequestSamples(bus);
    samples.configure({ ...noBodies, perRoute: 1, maxRequests: 1 });
    bus.report(sampledTopic, { key: 'a', record: '"x"' });
    await Promise.resolve();
    expect(samples.records()).to.deep.equal(['x']);
    expect(samples.clear()).to.equal(1);
    expect(samples.records()).to.deep.equal([]);
  });
});
