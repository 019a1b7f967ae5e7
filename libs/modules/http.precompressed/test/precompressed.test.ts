import { expect } from 'chai';
import { httpPrecompressed } from '@sluice/http-app';
import { register } from '@sluice/http.precompressed';
import { provisionMap } from '@sluice/testing';

describe('http.precompressed', () => {
  it('each precompressed module uses the file suffix of its coding', async () => {
    const kinds = { gzip: { level: 5 }, br: {}, zstd: { level: 'best', checksum: true } };
    const { instance, close } = await provisionMap(httpPrecompressed, kinds, { register: [register] });
    expect([...instance.values()]).to.deep.equal([
      { coding: 'gzip', suffix: '.gz' },
      { coding: 'br', suffix: '.br' },
      { coding: 'zstd', suffix: '.zst' },
    ]);
    await close();
  });
});
