import { expect } from 'chai';
import { declareEvent } from '@sluice/registry';

describe('declareEvent', () => {
  it('declareEvent returns the declaration for emitters and documentation', () => {
    const declaration = { origin: 'a', name: 'b', help: 'It was done.', data: { host: 'Of which.' } };
    expect(declareEvent(declaration)).to.equal(declaration);
  });
});
