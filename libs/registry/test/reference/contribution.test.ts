import { expect } from 'chai';
import { declareEvent } from '@sluice/registry';

describe('what a package says of itself', () => {
  it('has events as they were declared, for who emits them and for who reads of them', () => {
    const declaration = { origin: 'a', name: 'b', help: 'It was done.', data: { host: 'Of which.' } };
    expect(declareEvent(declaration)).to.equal(declaration);
  });
});
