import { expect } from 'chai';
import type { JsonObject } from '@sluice/base';
import { show, through } from './support.ts';

/** Patterns that take exponential time in backtracking engines, each with a text that triggers the exponential time. */
const catastrophes: readonly [pattern: string, text: string][] = [
  ['(a+)+$', `${'a'.repeat(3000)}b`],
  ['^(a|a)*$', `${'a'.repeat(3000)}b`],
  ['(.*a){12}b', 'a'.repeat(3000)],
  ['(a*)*(b*)*c', 'ab'.repeat(1500)],
];

describe('regular expressions in handler options', () => {
  const handlers: readonly [name: string, make: (pattern: string) => JsonObject][] = [
    ['rewrite.path_regexp', (find) => ({ handler: 'rewrite', path_regexp: [{ find, replace: 'x' }] })],
    [
      'rewrite.query',
      (pattern) => ({
        handler: 'rewrite',
        query: { replace: [{ key: 'q', search_regexp: pattern, replace: 'x' }] },
      }),
    ],
    [
      'headers.replace',
      (pattern) => ({
        handler: 'headers',
        request: { replace: { 'X-Text': [{ search_regexp: pattern, replace: 'x' }] } },
      }),
    ],
    [
      'map',
      (pattern) => ({
        handler: 'map',
        source: '{http.request.header.X-Text}',
        destinations: ['{m.x}'],
        mappings: [{ input_regexp: pattern, outputs: ['x'] }],
      }),
    ],
  ];
  for (const [name, make] of handlers) {
    for (const [pattern, text] of catastrophes) {
      it(`regular expressions run in linear time in ${name}: ${pattern}`, async () => {
        const began = performance.now();
        const response = await through([make(pattern), show('{m.x}{http.request.header.X-Text}')], {
          path: `/${text}?q=${text}`,
          headers: { 'X-Text': text },
        });
        expect(response.status).to.equal(200);
        expect(performance.now() - began).to.be.lessThan(2000);
      });
    }
  }

  for (const pattern of ['(?=a)b', '(a)\\1', '(?<!a)b', '(', 'a{1001}', '[z-a]', '\\8', '*']) {
    it(`handler options reject regular expressions that RE2 does not support: ${pattern}`, async () => {
      const handler = { handler: 'rewrite', path_regexp: [{ find: pattern, replace: '' }] };
      const refusal = await through([handler]).then(() => null, String);
      expect(refusal).to.match(/routes\[0\]\.handle\[0\]\.path_regexp\[0\]\.find: /);
    });
  }
});
