import { expect } from 'chai';
import { exampleOf } from '../../src/behavior/expression-example.ts';

describe('exampleOf', () => {
  for (const [pattern, example] of [
    ['^/v([0-9]+)/', '/v0/'],
    ['/(?P<name>user|group)s?/\\d{3}$', '/users/000'],
    ['\\.(jpe?g|png)$', '.jpeg'],
    ['^/[^/]+/(?:a|b)*x', '/x/x'],
    ['(?i)^/API\\b', '/API'],
    ['[]x]', ']'],
    ['a{1000}', 'a'.repeat(20)],
    ['^a.c\\/\\w+', 'axc/a'],
    ['', ''],
  ] as const)
    it(`exampleOf returns ${JSON.stringify(example)} for ${JSON.stringify(pattern)}`, () => {
      expect(exampleOf(pattern)).to.equal(example);
    });

  it('exampleOf returns null for an expression or example that is too long', () => {
    expect(exampleOf('a'.repeat(1001))).to.equal(null);
    expect(exampleOf(`${'('.repeat(100)}a${'{20})'.repeat(100)}`)).to.equal(null);
  });

  for (const pattern of [
    '(',
    '(((',
    ')',
    '[',
    '[^',
    'a{2',
    '\\p{Greek}',
    '(?=x)y',
    'a$b',
    '\\',
    '*',
    '(?P<',
    '('.repeat(1000),
  ])
    it(`exampleOf returns a string for ${JSON.stringify(pattern.slice(0, 20))}`, () => {
      expect(exampleOf(pattern)).to.be.a('string');
    });
});
