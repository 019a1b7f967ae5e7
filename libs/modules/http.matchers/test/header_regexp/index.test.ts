import { expect } from 'chai';
import { expectResponses, expectMatches, having, refusal, to } from '../matching.ts';

describe('http.matchers.header_regexp', () => {
  it('header_regexp matches any line of a field, and stores the captures of the first match', async () => {
    const set = { header_regexp: { 'x-A': { name: 'r', pattern: '(b.)' } } };
    await expectResponses(
      set,
      [
        [having({ 'X-A': ['a1', 'b2', 'b3'] }), 'b2'],
        [having({ 'X-A': 'a' }), 'no'],
        ['/', 'no'],
      ],
      { body: '{http.regexp.r.1}' },
    );
    await expectMatches(
      { header_regexp: { 'X-A': { pattern: 'a' }, 'X-B': { pattern: 'b' } } },
      [having({ 'x-a': 'a', 'x-b': 'b' })],
      [having({ 'x-a': 'a' })],
    );
  });

  it('header_regexp matches the host including its port', async () => {
    const set = { header_regexp: { Host: { name: 'h', pattern: '^([a-z]+)\\.test(?::(\\d+))?$' } } };
    await expectResponses(
      set,
      [
        [to('ab.test'), 'ab '],
        [to('ab.test:81'), 'ab 81'],
        [to('x'), 'no'],
      ],
      { body: '{http.regexp.h.1} {http.regexp.h.2}' },
    );
  });

  it('header_regexp does not match a missing field, even if the pattern matches an empty string', async () => {
    await expectMatches({ header_regexp: { 'X-A': { pattern: '^$' } } }, [having({ 'X-A': '' })], ['/']);
    await expectMatches({ header_regexp: { 'X-A': {} } }, [having({ 'X-A': 'x' })], ['/']);
    await expectMatches({ header_regexp: {} }, ['/'], []);
  });

  it('header_regexp rejects invalid patterns', async () => {
    expect(await refusal({ header_regexp: { 'X-A': { pattern: '[' } } })).to.match(
      /header_regexp\.X-A\.pattern: regular expression "\["/,
    );
    expect(await refusal({ header_regexp: { 'X-A': null } })).to.include('X-A');
    expect(await refusal({ header_regexp: { 'X-A': { regexp: '' } } })).to.include('"regexp"');
  });
});
