import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pageFolder } from '@sluice/dashboard';

const kilobyte = 1000;

/** Returns the total transfer size of files for a browser that supports Brotli. */
function sizeOf(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + statSync(join(pageFolder, `${name}.br`)).size, 0);
}

describe('dashboard files', () => {
  const names = readdirSync(pageFolder).filter((name) => !/\.(?:br|gz)$/.test(name));

  it('dashboard files total at most 100 KB for the first view, and 300 KB for all views', () => {
    const page = readFileSync(join(pageFolder, 'index.html'), 'utf8');
    const named = names.filter((name) => name === 'index.html' || page.includes(name));
    const script = named.find((name) => name.startsWith('main-')) ?? '';
    const overview = names.filter((name) => name.startsWith('overview-'));
    const shared = [...readFileSync(join(pageFolder, script), 'utf8').matchAll(/from"\.\/([\w-]+\.js)"/g)].map(
      ([, name = '']) => name,
    );
    expect(script).to.not.equal('');
    expect(sizeOf([...new Set([...named, ...shared, ...overview])])).to.be.below(100 * kilobyte);
    expect(sizeOf(names)).to.be.below(300 * kilobyte);
  });

  it('dashboard files have content hashes in their names, and compressed variants', () => {
    for (const name of names) {
      expect(readdirSync(pageFolder)).to.include.members([`${name}.br`, `${name}.gz`]);
      if (name !== 'index.html') expect(name).to.match(/-[\w-]{8}\.(?:js|css|svg)$/);
    }
  });
});
