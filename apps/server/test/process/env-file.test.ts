import { expect } from 'chai';
import { parseEnvFile } from '../../src/process/env-file.ts';

type Case = readonly [text: string, variables: Record<string, string>];

const cases: readonly Case[] = [
  ['', {}],
  ['A=1\n\nB=two words\n', { A: '1', B: 'two words' }],
  ['A=1\r\nB=2', { A: '1', B: '2' }],
  ['\uFEFFA=1', { A: '1' }],
  ['# comment\n  # another\n  A=1', { A: '1' }],
  ['export A=1', { A: '1' }],
  ['A=', { A: '' }],
  ['A=b=c', { A: 'b=c' }],
  ['A=1 # comment', { A: '1' }],
  ['A=a#b', { A: 'a' }],
  ['A=1   ', { A: '1' }],
  ['A="1 # no comment"', { A: '1 # no comment' }],
  [`A='it''`, { A: 'it' }],
  [String.raw`A="\n$B"`, { A: String.raw`\n$B` }],
  ['A="one\ntwo"\nB=3', { A: 'one\ntwo', B: '3' }],
];

const refusals: readonly (readonly [text: string, message: string])[] = [
  ['A', '.env:1: expected KEY=VALUE'],
  ['A=1\nB', '.env:2: expected KEY=VALUE'],
  ['=1', '"" is not a variable name'],
  ['A B=1', '"A B" is not a variable name'],
  ['A = 1', '"A "'],
  ['A= 1', 'whitespace around "=" is not allowed'],
  ['A="1\nB=2', 'A has no closing "'],
];

describe('parseEnvFile', () => {
  for (const [text, variables] of cases) {
    it(`parseEnvFile parses ${JSON.stringify(text)}`, () => {
      expect(Object.fromEntries(parseEnvFile(text, '.env'))).to.deep.equal(variables);
    });
  }
  for (const [text, message] of refusals) {
    it(`parseEnvFile rejects ${JSON.stringify(text)}`, () => {
      expect(() => parseEnvFile(text, '.env')).to.throw(message);
    });
  }
});
