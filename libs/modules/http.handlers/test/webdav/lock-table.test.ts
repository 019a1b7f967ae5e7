import { expect } from 'chai';
import fc from 'fast-check';
import { LockTable, type Lock } from '../../src/webdav/lock-table.ts';

const request = (path: string, more: Partial<Lock> = {}) => ({
  path,
  href: path,
  deep: true,
  exclusive: true,
  owner: '',
  user: '',
  timeout: 60_000,
  max: 100,
  root: '/',
  ...more,
});

const submitting = (tokens: readonly string[], user = '') => ({ lists: [], tokens, user });

function locked(table: LockTable, path: string, more: Partial<Lock> = {}): Lock {
  const lock = table.acquire(request(path, more));
  if (lock === 'full' || 'conflict' in lock) throw new Error(`cannot lock ${path}`);
  return lock;
}

describe('LockTable', () => {
  // Attack in docs/security.md: Use of another user's lock token.
  it('LockTable accepts a token only from the user that created the lock', () => {
    const table = new LockTable();
    const { token } = locked(table, '/a', { user: 'ada' });
    const write = [{ path: '/a', tree: false }];
    expect(table.check(write, submitting([token], 'ada')).status).to.equal(0);
    expect(table.check(write, submitting([token], 'bob')).status).to.equal(423);
    expect(table.refresh('/a', token, 'bob', 1000)).to.equal(null);
    expect(table.release('/a', token, 'bob')).to.equal(403);
    expect(table.release('/a', token, 'ada')).to.equal(204);
    expect(table.check(write, submitting([])).status).to.equal(0);
  });

  it('LockTable requires the tokens of all locks in a tree', () => {
    const table = new LockTable();
    const one = locked(table, '/d/1');
    const two = locked(table, '/d/2');
    const tree = [{ path: '/d', tree: true }];
    expect(table.check(tree, submitting([one.token]))).to.deep.equal({ status: 423, href: '/d/2' });
    expect(table.check(tree, submitting([one.token, two.token])).status).to.equal(0);
    expect(table.acquire(request('/d'))).to.have.property('conflict');
    table.removeTree('/d');
    expect(table.size).to.equal(0);
  });

  it('LockTable does not treat a path as a collection member merely because the path begins with the name of the collection', () => {
    const table = new LockTable();
    locked(table, '/d');
    expect(table.check([{ path: '/dx', tree: true }], submitting([])).status).to.equal(0);
    expect(table.check([{ path: '/d/x', tree: true }], submitting([])).status).to.equal(423);
  });

  // RFC 4918 §6.1: an exclusive lock excludes all other locks on a resource, and a shared lock excludes exclusive locks.
  it('LockTable never has conflicting locks, for any sequence of requests', () => {
    const path = fc.constantFrom('/a', '/a/b', '/a/b/c', '/d');
    const step = fc.record({ path, deep: fc.boolean(), exclusive: fc.boolean(), removes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const table = new LockTable();
        for (const { path: at, deep, exclusive, removes } of steps) {
          if (removes) table.removeTree(at);
          else table.acquire(request(at, { deep, exclusive }));
        }
        for (const each of ['/a', '/a/b', '/a/b/c', '/d']) {
          const locks = table.covering(each);
          if (locks.some(({ exclusive }) => exclusive)) expect(locks).to.have.length(1);
        }
      }),
    );
  });
});
