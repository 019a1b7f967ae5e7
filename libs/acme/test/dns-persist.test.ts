// Tests the DNS records of dns-persist-01 (draft-ietf-acme-dns-persist).
import { expect } from 'chai';
import { isPersistentRecord, persistentRecordName, persistentRecordValue } from '@sluice/acme';

const account = 'https://ca.example/acct/123';
const wanted = { issuerNames: ['authority.example', 'other.example'], account, wildcard: false };
const now = 1_700_000_000_000;

describe('dns-persist-01 records', () => {
  it('persistentRecordValue contains the CA, the account, and the wildcard policy', () => {
    expect(persistentRecordName('example.com')).to.equal('_validation-persist.example.com');
    expect(persistentRecordValue(wanted)).to.equal(`authority.example; accounturi=${account}`);
    expect(persistentRecordValue({ ...wanted, wildcard: true })).to.equal(
      `authority.example; accounturi=${account}; policy=wildcard`,
    );
  });

  for (const [text, plain, wildcard] of [
    [`authority.example; accounturi=${account}`, true, false],
    [`other.example;accounturi=${account}`, true, false],
    [`  AUTHORITY.example  ;  AccountURI = ${account} ; Policy = Wildcard `, true, true],
    [`authority.example; accounturi=${account}; policy=wildcard; persistUntil=1800000000`, true, true],
    [`authority.example; accounturi=${account}; persistUntil=1600000000`, false, false],
    [`authority.example; accounturi=${account}; persistUntil=soon`, false, false],
    [`authority.example; accounturi=${account}; policy=other`, true, false],
    ['authority.example; accounturi=https://ca.example/acct/124', false, false],
    ['authority.example', false, false],
    [`third.example; accounturi=${account}`, false, false],
    [`; accounturi=${account}`, false, false],
    ['', false, false],
  ] as const)
    it(`isPersistentRecord returns the expected result for ${JSON.stringify(text)}`, () => {
      expect(isPersistentRecord(text, wanted, now)).to.equal(plain);
      expect(isPersistentRecord(text, { ...wanted, wildcard: true }, now)).to.equal(wildcard);
    });

  it('isPersistentRecord accepts the value of persistentRecordValue', () => {
    for (const wildcard of [false, true])
      expect(isPersistentRecord(persistentRecordValue({ ...wanted, wildcard }), { ...wanted, wildcard }, now)).to.equal(
        true,
      );
  });
});
