import { IdentifierPolicy, type Identifier, type RuleSet } from '@sluice/acme';
import { expect } from 'chai';

const dns = (value: string): Identifier => ({ type: 'dns', value });
const ip = (value: string): Identifier => ({ type: 'ip', value });
const rules = (domains: readonly string[], ranges: readonly string[] = []): RuleSet => ({ domains, ranges });

type Case = readonly [
  what: string,
  policy: readonly [allow: RuleSet | null, deny: RuleSet | null, wildcards: boolean],
  identifier: Identifier,
  expected: boolean,
];

const cases: readonly Case[] = [
  ['an allowed name', [rules(['a.test']), null, false], dns('a.test'), true],
  ['a name that matches a rule in uppercase', [rules(['A.test']), null, false], dns('a.test'), true],
  ['a name without a matching rule', [rules(['a.test']), null, false], dns('b.test'), false],
  ['a name one label below a wildcard rule', [rules(['*.test']), null, false], dns('a.test'), true],
  ['a name two labels below a wildcard rule', [rules(['*.test']), null, false], dns('b.a.test'), false],
  ['the parent name of a wildcard rule', [rules(['*.a.test']), null, false], dns('a.test'), false],
  ['a wildcard name if wildcards are not allowed', [rules(['*.test']), null, false], dns('*.test'), false],
  ['a wildcard name if wildcards are allowed', [rules(['*.test']), null, true], dns('*.test'), true],
  ['an IP address if only names are allowed', [rules(['a.test']), null, false], ip('10.0.0.1'), false],
  ['a name if only IP addresses are allowed', [rules([], ['10.0.0.0/8']), null, false], dns('a.test'), false],
  ['an IP address in an allowed range', [rules([], ['10.0.0.0/8']), null, false], ip('10.1.2.3'), true],
  ['an IP address outside the allowed range', [rules([], ['10.0.0.0/8']), null, false], ip('11.0.0.1'), false],
  ['an allowed single IP address', [rules([], ['2001:db8::1']), null, false], ip('2001:db8::1'), true],
  [
    'an IP address next to an allowed single IP address',
    [rules([], ['2001:db8::1']), null, false],
    ip('2001:db8::2'),
    false,
  ],
  ['a denied name', [null, rules(['a.test']), false], dns('a.test'), false],
  ['a name that is not denied', [null, rules(['a.test']), false], dns('b.test'), true],
  ['a name that is both denied and allowed', [rules(['*.test']), rules(['a.test']), false], dns('a.test'), false],
  ['any name if the rules are empty', [rules([]), rules([]), false], dns('a.test'), true],
];

describe('IdentifierPolicy', () => {
  for (const [what, [allow, deny, wildcards], identifier, expected] of cases)
    it(`IdentifierPolicy ${expected ? 'permits' : 'rejects'} ${what}`, () => {
      expect(new IdentifierPolicy(allow, deny, wildcards).permits(identifier)).to.equal(expected);
    });

  for (const rule of ['*', 'a.*.test', '*.', '', '*.10.0.0.1'])
    it(`IdentifierPolicy rejects ${JSON.stringify(rule)} as a name rule`, () => {
      expect(() => new IdentifierPolicy(rules([rule]), null, false)).to.throw('is not a valid name rule');
    });

  for (const range of ['a', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/1.5', '::/129'])
    it(`IdentifierPolicy rejects ${JSON.stringify(range)} as an IP range`, () => {
      expect(() => new IdentifierPolicy(null, rules([], [range]), false)).to.throw('is not an IP range');
    });
});
