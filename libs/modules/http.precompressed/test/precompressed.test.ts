import { expect } from 'chai';
import { httpPrecompressed, type PrecompressedFiles } from '@sluice/http-app';
import { register } from '@sluice/http.precompressed';
import { apps, appToken, defineModule, moduleMap, options } from '@sluice/registry';
import { serve } from '@sluice/testing';

interface Probe {
  readonly kinds: ReadonlyMap<string, PrecompressedFiles>;
}

const probe = appToken<Probe>('probe');
const probeModule = defineModule(apps, {
  name: 'probe',
  help: 'Loads kinds of files for a test.',
  config: options({ precompressed: moduleMap('Kinds.', httpPrecompressed) }),
  provision: async (config, context): Promise<Probe> => ({
    kinds: await context.loadMap(httpPrecompressed, config.precompressed ?? {}, 'precompressed'),
  }),
});

describe('http.precompressed', () => {
  it('knows how files of each coding are named', async () => {
    const server = await serve(
      { apps: { probe: { precompressed: { gzip: { level: 5 }, br: {}, zstd: { level: 'best', checksum: true } } } } },
      { register: [register, (registry) => void registry.add(probeModule)] },
    );
    expect([...(server.runtime.app(probe)?.kinds.values() ?? [])]).to.deep.equal([
      { coding: 'gzip', suffix: '.gz' },
      { coding: 'br', suffix: '.br' },
      { coding: 'zstd', suffix: '.zst' },
    ]);
    await server.close();
  });
});
