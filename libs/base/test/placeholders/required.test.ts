import { expect } from 'chai';
import { expandRequired } from '@sluice/base';

describe('expandRequired', () => {
  before(() => {
    process.env['SLUICE_TEST_SET'] = 'a';
    process.env['SLUICE_TEST_EMPTY'] = '';
  });
  after(() => {
    delete process.env['SLUICE_TEST_SET'];
    delete process.env['SLUICE_TEST_EMPTY'];
  });

  const taken: readonly [text: string, expanded: string][] = [
    ['', ''],
    ['127.0.0.1:80', '127.0.0.1:80'],
    ['{env.SLUICE_TEST_SET}:{env.SLUICE_TEST_SET}', 'a:a'],
    ['\\{nope}', '{nope}'],
    ['a{b', 'a{b'],
  ];
  for (const [text, expanded] of taken) {
    it(`expandRequired accepts ${JSON.stringify(text)}`, () => expect(expandRequired(text)).to.equal(expanded));
  }

  const refused: readonly [text: string, message: RegExp][] = [
    ['{env.SLUICE_TEST_EMPTY}:80', /\{env\.SLUICE_TEST_EMPTY\} is empty/],
    ['x{env.SLUICE_TEST_UNSET}y', /\{env\.SLUICE_TEST_UNSET\} is empty/],
    ['{file./nonexistent}', /\{file\.\/nonexistent\} is empty/],
    ['{nope}', /unknown placeholder \{nope\}/],
    ['{http.request.host}:80', /unknown placeholder \{http\.request\.host\}/],
  ];
  for (const [text, message] of refused) {
    it(`expandRequired rejects ${JSON.stringify(text)}`, () => expect(() => expandRequired(text)).to.throw(message));
  }
});
