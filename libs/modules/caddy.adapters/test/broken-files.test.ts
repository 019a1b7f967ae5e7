import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { CaddyfileError, formatCaddyfile } from '@sluice/caddyfile';
import { adaptConfig } from '@sluice/reconciler';
import { standardRegistry } from './standard-registry.ts';

const folder = new URL('fixtures/caddyfile/', import.meta.url);
const corpus = readdirSync(folder)
  .filter((name) => name.endsWith('.caddyfile'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const splinters = [
  '{',
  '}',
  ' {\n',
  '\n}\n',
  '"',
  '`',
  '<<E\n',
  '\\',
  '{args[0]}',
  '{$',
  '{block}',
  '@x ',
  '(s) {\n',
  '&(',
  ',',
  '*',
  ':',
  'import s\n',
  '\0',
  '\r',
  '-1',
  '1e309',
  '__proto__',
];

/**
 * A deletion and an insertion at one position. The position is a fraction of the text length. The other values are the number of deleted
 * characters and the inserted text.
 */
const wound = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  gone: fc.nat(20),
  put: fc.constantFrom('', ...splinters),
});

const broken = fc
  .tuple(fc.constantFrom(...corpus), fc.array(wound, { minLength: 1, maxLength: 6 }))
  .map(([text, wounds]) =>
    wounds.reduce((left, { at, gone, put }) => {
      const from = Math.floor(at * left.length);
      return left.slice(0, from) + put + left.slice(from + gone);
    }, text),
  );

/** `npm test` runs a few hundred cases. The conformance tool can run any number. */
describe('broken Caddyfiles', function () {
  this.timeout(120_000);
  const registry = standardRegistry();

  it('the Caddyfile adapter either adapts a broken Caddyfile, or reports an error with the file and line', () =>
    fc.assert(
      fc.asyncProperty(broken, async (text) => {
        const error = await adaptConfig(registry, 'caddyfile', text).then(
          () => null,
          (reason: unknown) => reason,
        );
        if (error === null) return;
        expect(error).to.be.instanceOf(CaddyfileError);
        expect((error as CaddyfileError).message).to.match(/Caddyfile:[1-9]|on line #[1-9]/);
      }),
      { numRuns: 400, seed: 15 },
    ));

  it('a broken Caddyfile can be formatted, and formatting it again makes no further changes', () =>
    fc.assert(
      fc.property(broken, (text) => {
        const once = formatCaddyfile(text);
        const again = formatCaddyfile(once);
        expect(formatCaddyfile(again)).to.equal(again);
      }),
      { numRuns: 400, seed: 15 },
    ));
});
