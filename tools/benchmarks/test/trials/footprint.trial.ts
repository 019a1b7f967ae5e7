import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { measureManyChanges } from '../../src/footprint/many-changes.ts';
import { measureNames } from '../../src/footprint/many-names.ts';
import type { Participant } from '../../src/footprint/participants.ts';
import { measureStart } from '../../src/footprint/start.ts';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));
const command = [process.execPath, '--conditions=@sluice/source', main];
const ours: Participant = { name: 'sluice', command, threads: true };

describe('benchmark tool: footprint at small scale', function () {
  this.timeout(120_000);

  it('measureStart measures the time to the first response, and the memory usage', async () => {
    const { seconds, processor, memory } = await measureStart(ours, { routes: 20, workers: 1 });
    expect([seconds > 0, processor > 0, memory > 30]).to.deep.equal([true, true, true]);
  });

  it('measureManyChanges measures memory usage during changes', async () => {
    const plan = { count: 400, routes: 20, writers: 4, workers: 1 };
    const { before, samples, most, processor } = await measureManyChanges(ours, plan);
    expect(samples).to.have.length(4);
    expect(most).to.equal(Math.max(before, ...samples));
    expect(processor).to.be.above(0);
  });

  it('measureNames measures the time until the last of many names is served', async () => {
    const [result] = await measureNames([ours], 5, 1);
    expect(result).to.include({ name: 'sluice' });
    expect(result?.seconds).to.be.above(0);
  });
});
