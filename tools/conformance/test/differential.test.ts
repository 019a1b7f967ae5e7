import { expect } from 'chai';
import { compare } from '../src/differential/compare.ts';
import type { Observation } from '../src/differential/observation.ts';
import { makePairs, play } from '../src/differential/play.ts';
import { readPairs } from '../src/differential/recording.ts';
import { configTo } from '../src/differential/routes.ts';
import { RawUpstream } from '../src/differential/upstream.ts';
import { ours } from '../src/servers/commands.ts';
import { ServerProcess } from '../src/servers/server-process.ts';

describe('conformance tool: differential', () => {
  it('makePairs returns the same pairs for the same seed, and different pairs for different seeds', () => {
    const text = (seed: number): string => JSON.stringify(makePairs(seed, 20));
    expect(text(3)).to.equal(text(3)).and.not.equal(text(4));
  });

  it('compare() detects a difference in one field', () => {
    const [pair] = makePairs(1, 1);
    const response = { start: 'HTTP/1.1 200 OK', fields: ['X-A: 1'], framing: 'none', body: '', trailers: [] };
    const theirs: Observation = { upstream: [], interim: [], response, ending: 'complete' };
    const mine: Observation = { ...theirs, response: { ...response, fields: ['X-A: 2'] } };
    expect(compare(pair!, theirs, theirs).unknown).to.deep.equal([]);
    expect(compare(pair!, theirs, mine).unknown).to.deep.equal(['- client: X-A: 1', '+ client: X-A: 2']);
  });

  it('Sluice differs from Caddy only in documented ways @long', async function () {
    this.timeout(120_000);
    const { seed, observations } = readPairs();
    const pairs = makePairs(seed, observations.length);
    expect(pairs.length).to.be.at.least(100);
    const upstream = new RawUpstream();
    const upstreamPort = await upstream.listen();
    const server = await ServerProcess.start(ours);
    try {
      await server.load(configTo(upstreamPort, server.port));
      const mine = await play(pairs, server.port, upstream, upstreamPort);
      const different = pairs.flatMap((pair, index) => {
        const { unknown } = compare(pair, observations[index] as Observation, mine[index] as Observation);
        return unknown.map((line) => `${pair.number}: ${line}`);
      });
      expect(different).to.deep.equal([]);
    } finally {
      await server.stop();
      await upstream.close();
    }
  });
});
