import { expect } from 'chai';
import { formatPlace } from '@sluice/contracts';

describe('formatPlace', () => {
  it('formatPlace formats a file name and a line', () => {
    expect(formatPlace({ file: 'Caddyfile', line: 12, column: 3 })).to.equal('Caddyfile:12');
  });

  it('formatPlace adds the location of the import', () => {
    const imported = { file: 'Caddyfile', line: 12 };
    expect(formatPlace({ file: 'common.caddy', line: 3, column: 1, imported })).to.equal(
      'common.caddy:3, imported in Caddyfile:12',
    );
  });
});
