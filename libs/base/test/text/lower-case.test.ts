import { lowerCase } from '@sluice/base';
import { expect } from 'chai';

describe('lowerCase', () => {
  for (const [text, lower] of [
    ['Ab-Z', 'ab-z'],
    ['ÀÉ', 'àé'],
    ['ΑΣ', 'ας'.replace('ς', 'σ')],
    ['İI', 'ii'],
    ['ς', 'ς'],
  ] as const) {
    it(`lowerCase converts ${text} to ${lower}`, () => expect(lowerCase(text)).to.equal(lower));
  }
});
