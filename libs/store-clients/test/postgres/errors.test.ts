import { expect } from 'chai';
import { isElsewhere, isRefusal } from '../../src/postgres/errors.ts';

const said = (code: string): object => ({ severity: 'ERROR', code });

describe('PostgreSQL error classification', () => {
  it('isRefusal is true if the server has rolled back the transaction', () => {
    for (const code of ['23505', '42501', '28P01', '40001', '25006'])
      expect(isRefusal(said(code)), code).to.equal(true);
  });

  it('isRefusal is false if the connection or the server was terminated', () => {
    for (const code of ['57P01', '57014', '08006', 'XX000']) expect(isRefusal(said(code)), code).to.equal(false);
    expect(isRefusal(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).to.equal(false);
    expect(isRefusal(undefined)).to.equal(false);
  });

  it('isElsewhere returns true if the server is read-only or out of resources', () => {
    for (const code of ['25006', '53300', '40P01']) expect(isElsewhere(said(code)), code).to.equal(true);
    expect(isElsewhere(said('23505'))).to.equal(false);
  });
});
