import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { apiVersion } from '@sluice/module';

describe('apiVersion', () => {
  it('apiVersion equals the version of the package', () => {
    const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect(JSON.parse(text)).to.have.property('version', apiVersion);
  });
});
