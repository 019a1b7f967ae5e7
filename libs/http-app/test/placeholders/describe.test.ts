/** Checks that the reference documentation lists exactly the existing request placeholders. */
import { expect } from 'chai';
import { globalPlaceholders } from '@sluice/base/reference';
import { requestPlaceholders } from '../../src/placeholders/describe.ts';
import { placeholderPrefixes, resolveKnown } from '../../src/placeholders/resolve.ts';

const names = [...requestPlaceholders.flatMap((group) => Object.keys(group.names)), ...Object.keys(globalPlaceholders)];

/** Returns a placeholder name in which the key is replaced with a value. */
function filled(name: string): string {
  return name.replaceAll('<number>', '0').replaceAll('<bits>', '24').replaceAll(/<\w+>/g, 'x');
}

describe('documented placeholders', () => {
  it('all Caddy placeholders are supported', () => {
    expect(names.length).to.be.greaterThan(90);
    expect(names.filter((name) => resolveKnown(filled(name)) === null)).to.deep.equal([]);
    expect(resolveKnown('http.request.nothing')).to.equal(null);
  });

  it('the placeholder descriptions cover all placeholder prefixes', () => {
    const others = ['http.reverse_proxy.'];
    const missing = placeholderPrefixes.filter((prefix) => !names.some((name) => name.startsWith(prefix)));
    expect(missing).to.deep.equal(others);
  });
});
