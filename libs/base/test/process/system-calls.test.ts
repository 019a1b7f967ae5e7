import { closeSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { closeDescriptor, duplicateDescriptor, sendUnixDatagram } from '../../src/index.ts';

describe('calls of the operating system', function () {
  before(function () {
    if (duplicateDescriptor(0) === null) this.skip();
  });

  it('gives a second descriptor of the same open file', () => {
    const first = openSync(import.meta.filename, 'r');
    const second = duplicateDescriptor(first) ?? -1;
    closeSync(first);
    expect(second).to.be.greaterThan(2).and.not.equal(first);
    expect(fstatSync(second).isFile()).to.equal(true);
    closeDescriptor(second);
    expect(() => fstatSync(second)).to.throw('EBADF');
  });

  it('gives -1 for a descriptor that is not open', () => {
    expect(duplicateDescriptor(999_999)).to.equal(-1);
  });

  it('says that a datagram could not be sent where no one listens', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-datagram-'));
    try {
      expect(sendUnixDatagram(join(folder, 'none.sock'), 'READY=1')).to.equal(false);
      expect(sendUnixDatagram(`@${folder}`, 'READY=1')).to.equal(false);
      expect(() => sendUnixDatagram(join(folder, 'x'.repeat(108)), 'READY=1')).to.throw('at most 107 bytes');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
