import { expect } from 'chai';
import { configError, SluiceError } from '@sluice/base';
import { packError, unpackError } from '../src/packed-error.ts';

describe('unpackError', () => {
  const errors: SluiceError[] = [
    configError('apps.http', 'no'),
    new SluiceError('ERR_X', 'no', { status: 409 }),
    new SluiceError('ERR_X', 'a: b', { where: '' }),
  ];
  for (const error of errors) {
    it(`unpackError restores ${error.code} at ${JSON.stringify(error.where)}`, () => {
      const { code, status, where, message } = error;
      expect(unpackError(structuredClone(packError(error)))).to.include({ code, status, where, message });
    });
  }

  it('unpackError restores the message of other errors', () => {
    expect(unpackError(packError(new TypeError('no')))).to.include({
      code: 'ERR_THREAD',
      status: 500,
      where: null,
      message: 'no',
    });
    expect(packError('thrown text').message).to.equal('thrown text');
  });

  it('unpackError restores a message without a path prefix', () => {
    const error = configError('apps', 'no');
    error.message = 'other';
    expect(packError(error).message).to.equal('other');
  });
});
