import { expect } from 'chai';
import { changedLines } from '../src/caddyfile/changed-lines.ts';

describe('conformance tool: changed lines', () => {
  it('changedLines yields variants in which one line or one block is changed', () => {
    const changed = [...changedLines(':80 {\n\trespond a\n}\n')];
    expect(changed.map(({ change, text }) => `${change}: ${text.replaceAll('\n', '|')}`)).to.include.members([
      'an additional word: :80 zz {|\trespond a|}|',
      'without its block: :80|',
      'with an empty block: :80 {|}|',
      'twice: :80 {|\trespond a|}|:80 {|\trespond a|}|',
      'a missing word: :80 {|\trespond|}|',
      'twice: :80 {|\trespond a|\trespond a|}|',
      'an additional block: :80 {|\trespond a {|zz y|}|}|',
    ]);
    expect(changed).to.have.length(12);
  });
});
