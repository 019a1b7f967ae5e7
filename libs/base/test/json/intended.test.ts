import { expect } from 'chai';
import { checkIntended, type Json } from '@sluice/base';

describe('checkIntended', () => {
  const meant: readonly (readonly [text: string, document: Json])[] = [
    ['null', null],
    [' {} \n', {}],
    ['{ }', {}],
    ['apps: {}', { apps: {} }],
    ['{"apps":{}}', { apps: {} }],
    ['admin: {}', { admin: {} }],
  ];
  for (const [text, document] of meant)
    it(`checkIntended accepts ${JSON.stringify(text)} as intentionally empty`, () =>
      checkIntended(text, document, 'the file'));

  const lost: readonly (readonly [text: string, document: Json])[] = [
    ['', null],
    [' \n', null],
    ['# a comment', null],
    ['# a comment', {}],
    ['apps:', { apps: null }],
    ['admin: {}\napps:', { admin: {}, apps: null }],
  ];
  for (const [text, document] of lost) {
    // Attack in docs/security.md: Empty or truncated files with `reload`, `--watch` and `/load`; error responses without a body.
    it(`checkIntended rejects ${JSON.stringify(text)} as accidentally empty`, () =>
      expect(() => checkIntended(Buffer.from(text), document, 'the file'))
        .to.throw(/^the file is empty, possibly because it was truncated.* write null or \{\}$/)
        .that.includes({ code: 'ERR_CONFIG_EMPTY', status: 400 }));
  }
});
