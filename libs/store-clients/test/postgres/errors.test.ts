import { expect } from 'chai';
import { isElsewhere, isRefusal } from '../../src/postgres/errors.ts';

const said = (code: string): object => ({ severity: 'ERROR', code });

describe('errors of a PostgreSQL', () => {
  it('are refusals where the server has undone what it began', () => {
    for (const code of ['23505', '42501', '28P01', '40001', '25006'])
      expect(isRefusal(said(code)), code).to.equal(true);
  });

  it('leave open what became of a statement where the connection ended, or the server did', () => {
    for (const code of ['57P01', '57014', '08006', 'XX000']) expect(isRefusal(said(code)), code).to.equal(false);
    expect(isRefusal(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))).to.equal(false);
    expect(isRefusal(undefined)).to.equal(false);
  });

  it('send a call elsewhere where the server takes no writes, or has no room', () => {
    for (const code of ['25006', '53300', '40P01']) expect(isElsewhere(said(code)), code).to.equal(true);
    expect(isElsewhere(said('23505'))).to.equal(false);
  });
});
