import { expect } from 'chai';
import { errorCode } from '../src/error-code.ts';

describe('HTTP/2 error codes', () => {
  it('HTTP/2 error codes match RFC 9113 §7', () => {
    expect(Object.values(errorCode)).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
    expect([errorCode.cancel, errorCode.enhanceYourCalm, errorCode.http11Required]).to.deep.equal([0x8, 0xb, 0xd]);
  });
});
