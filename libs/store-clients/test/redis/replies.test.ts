import { expect } from 'chai';
import { isElsewhere, isLoss, isRefusal } from '../../src/redis/replies.ts';

/** Returns a server's error reply as the Redis library represents it. */
const said = (message: string): Error => Object.assign(new Error(message), { name: 'ReplyError' });

describe('Redis error classification', () => {
  it('isRefusal is true for error replies', () => {
    for (const message of ['NOAUTH Authentication required.', 'ERR no', 'READONLY You can not write'])
      expect(isRefusal(said(message)), message).to.equal(true);
    for (const error of [new Error('Connection is closed.'), new Error('Command timed out'), 'READONLY', undefined])
      expect(isRefusal(error), String(error)).to.equal(false);
  });

  it('isElsewhere is true for temporary and server-specific errors', () => {
    for (const word of ['READONLY', 'LOADING', 'MASTERDOWN', 'NOREPLICAS', 'CLUSTERDOWN', 'MISCONF', 'BUSY'])
      expect(isElsewhere(said(`${word} and why`)), word).to.equal(true);
    for (const error of [said('NOAUTH no'), said('ERR it is READONLY'), 'READONLY', null])
      expect(isElsewhere(error), String(error)).to.equal(false);
  });

  it('isLoss distinguishes a lost connection from a timeout', () => {
    expect(isLoss(new Error('Connection is closed.'))).to.equal(true);
    expect(isLoss(new Error('read ECONNRESET'))).to.equal(true);
    for (const error of [new Error('Command timed out'), said('ERR no'), 'gone', undefined])
      expect(isLoss(error), String(error)).to.equal(false);
  });
});
