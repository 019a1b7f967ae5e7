import { expect } from 'chai';
import { differencesOf } from '../src/paths/compare.ts';
import { playEnvironments } from '../src/paths/environments.ts';
import { targets } from '../src/paths/forms.ts';
import { playPaths } from '../src/paths/play.ts';
import { readEnvironments, readMatrix } from '../src/paths/recording.ts';
import { ours } from '../src/servers/commands.ts';

const oneWorker = { options: ['--workers', '1'] };

describe('conformance tool: paths', () => {
  const recorded = { matrix: readMatrix(), environments: readEnvironments() };

  it('the recording contains a response from Caddy for every target', () => {
    for (const [route, responses] of Object.entries(recorded.matrix))
      expect(Object.keys(responses), route).to.have.members([...targets]);
  });

  it('differencesOf detects a different response and a different line', () => {
    const mine = structuredClone(recorded);
    (mine.matrix['probe'] as Record<string, string>)['/admin'] = 'another';
    mine.environments['get'] = (mine.environments['get'] ?? []).slice(1);
    expect(differencesOf(recorded, mine)).to.have.length(2);
  });

  // Attack in docs/security.md: FastCGI script paths that contain `..`, `%2f` or `%2e`.
  it('Sluice matches, changes and forwards every form of a path as Caddy does @long', async function () {
    this.timeout(120_000);
    const matrix = await playPaths(ours, oneWorker);
    expect(differencesOf(recorded, { ...recorded, matrix })).to.deep.equal([]);
  });

  it('Sluice and Caddy pass the same environment to FastCGI scripts', async function () {
    this.timeout(60_000);
    const environments = await playEnvironments(ours, oneWorker);
    expect(differencesOf(recorded, { ...recorded, environments })).to.deep.equal([]);
  });
});
