import { expect } from 'chai';
import fc from 'fast-check';
import { HeaderMap } from '@sluice/http1';
import { makeExchange } from '@sluice/testing';
import { compileHeaderOperations } from '../../src/operations/header-operations.ts';

type Line = readonly [name: string, value: string];

interface Operations {
  readonly add: Readonly<Record<string, string[]>>;
  readonly set: Readonly<Record<string, string[]>>;
  readonly delete: readonly string[];
  readonly replace: Readonly<Record<string, { search: string; replace: string }[]>>;
}

const name = fc.constantFrom('x-a', 'X-A', 'x-b', 'Y-b', 'set-cookie', 'z');
const value = fc.constantFrom('', 'a', 'b', 'ab, ba', 'aa', '$1');
const values = fc.array(value, { maxLength: 3 });
const pattern = fc.constantFrom('*', '**', 'x-*', '*-B', '*-*', 'x-a', 'Z', '', 'x*b', 'none');
const replacements = fc.array(fc.record({ search: fc.constantFrom('a', 'b', 'none', ''), replace: value }), {
  maxLength: 2,
});
const operations: fc.Arbitrary<Operations> = fc.record({
  add: fc.dictionary(name, values, { maxKeys: 3 }),
  set: fc.dictionary(name, values, { maxKeys: 3 }),
  delete: fc.array(pattern, { maxLength: 3 }),
  replace: fc.dictionary(fc.oneof(name, fc.constant('*')), replacements, { maxKeys: 3 }),
});
const lines = fc.array(fc.tuple(name, value), { maxLength: 6 });

/** A simple reference implementation that operates on a list of header lines. */
function model(before: readonly Line[], { add, set, delete: patterns, replace }: Operations): Line[] {
  let now: Line[] = patterns.includes('*') ? [] : before.map(([key, text]) => [key.toLowerCase(), text]);
  for (const [key, texts] of Object.entries(add)) for (const text of texts) now.push([key.toLowerCase(), text]);
  for (const [key, texts] of Object.entries(set)) {
    const lower = key.toLowerCase();
    now = now.filter(([each]) => each !== lower);
    if (lower === 'set-cookie' && texts.length > 1) now.push(...texts.map((text): Line => [lower, text]));
    else now.push([lower, texts.join(',')]);
  }
  for (const each of patterns) if (each !== '*') now = now.filter(([key]) => !fits(key, each.toLowerCase()));
  for (const [key, steps] of Object.entries(replace)) {
    now = now.map(([each, text]) => {
      if (key !== '*' && each !== key.toLowerCase()) return [each, text];
      return [each, steps.reduce((made, step) => made.split(step.search).join(step.replace), text)];
    });
  }
  return now;
}

/** Reports whether a name matches a pattern. Asterisks are wildcards only at the beginning and end. */
function fits(key: string, wanted: string): boolean {
  const inside = wanted.replace(/^\*|\*$/g, '').replace(/^\*$/, '');
  if (wanted.startsWith('*') && wanted.endsWith('*')) return key.includes(inside);
  if (wanted.startsWith('*')) return key.endsWith(inside);
  return wanted.endsWith('*') ? key.startsWith(inside) : key === wanted;
}

/** Groups lines by name. The order of lines with different names is irrelevant. */
function byName(made: Iterable<Line>): Record<string, string[]> {
  const grouped: Record<string, string[]> = {};
  for (const [key, text] of made) (grouped[key] ??= []).push(text);
  return grouped;
}

describe('header operations', () => {
  it('header operations agree with a simple reference implementation', () => {
    const exchange = makeExchange();
    fc.assert(
      fc.property(lines, operations, (before, made) => {
        // Keys that differ only in case are applied in order, as in the reference implementation.
        const headers = new HeaderMap();
        for (const [key, text] of before) headers.append(key.toLowerCase(), text);
        const searched = {
          ...made,
          replace: Object.fromEntries(
            Object.entries(made.replace).map(([key, steps]) => [key, steps.filter(({ search }) => search !== '')]),
          ),
        };
        compileHeaderOperations(searched as never, null as never).apply(headers, exchange);
        expect(byName(headers)).to.deep.equal(byName(model(before, searched)));
      }),
      { numRuns: 2000 },
    );
  });

  it('a header replacement with an empty search string inserts the replacement before and after every character', () => {
    const headers = new HeaderMap();
    headers.append('x', 'ab');
    const replace = { x: [{ search: '', replace: '-' }] };
    compileHeaderOperations({ replace }, null as never).apply(headers, makeExchange());
    expect(headers.get('x')).to.equal('-a-b-');
  });

  it('header operations change the Host field only if they name it', () => {
    fc.assert(
      fc.property(operations, fc.constantFrom('host', 'Host'), value, (made, host, text) => {
        const exchange = makeExchange({ host: 'before.test' });
        const touched = made.delete.some((each) => fits('host', each.toLowerCase()) || each === '*');
        const plain = compileHeaderOperations({ ...made, replace: {} } as never, null as never);
        plain.applyToRequest(exchange);
        expect(exchange.host).to.equal(touched ? '' : 'before.test');
        expect(exchange.headers.has('host')).to.equal(false);
        const setting = { set: { [host]: [text] } };
        compileHeaderOperations(setting, null as never).applyToRequest(exchange);
        expect(exchange.host).to.equal(text);
      }),
    );
  });
});
