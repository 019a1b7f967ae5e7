import { closeSync, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { closeDescriptor, duplicateDescriptor, sendUnixDatagram } from '../../src/index.ts';

/** A Unix datagram socket that receives data. Node does not support such sockets. */
class Receiver {
  readonly #calls = process.getBuiltinModule('node:ffi').dlopen(null, {
    socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
    bind: { arguments: ['i32', 'buffer', 'u32'], return: 'i32' },
    recv: { arguments: ['i32', 'buffer', 'u64', 'i32'], return: 'i64' },
  }).functions;
  readonly #socket: number;

  constructor(path: string) {
    this.#socket = this.#calls.socket(1, 2, 0);
    const name = path.startsWith('@') ? `\0${path.slice(1)}` : `${path}\0`;
    const family = new Uint8Array(Uint16Array.of(1).buffer);
    const address = Buffer.concat([family, Buffer.from(name)]);
    expect(this.#calls.bind(this.#socket, address, address.length)).to.equal(0);
  }

  /** Reads one datagram without blocking. */
  read(): string {
    const bytes = Buffer.alloc(100);
    const size = this.#calls.recv(this.#socket, bytes, BigInt(bytes.length), 0x40);
    return bytes.toString('utf8', 0, Math.max(0, Number(size)));
  }

  close(): void {
    closeDescriptor(this.#socket);
  }
}

describe('system call functions', function () {
  before(function () {
    if (duplicateDescriptor(0) === null) this.skip();
  });

  it('duplicateDescriptor returns another descriptor for the same open file', () => {
    const first = openSync(import.meta.filename, 'r');
    const second = duplicateDescriptor(first) ?? -1;
    closeSync(first);
    expect(second).to.be.greaterThan(2).and.not.equal(first);
    expect(fstatSync(second).isFile()).to.equal(true);
    closeDescriptor(second);
    expect(() => fstatSync(second)).to.throw('EBADF');
  });

  it('duplicateDescriptor returns -1 for a descriptor that is not open', () => {
    expect(duplicateDescriptor(999_999)).to.equal(-1);
  });

  it('sendUnixDatagram sends to a path and to an abstract name', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-datagram-'));
    try {
      for (const path of [join(folder, 'a.sock'), `@${folder}`]) {
        const receiver = new Receiver(path);
        try {
          expect(sendUnixDatagram(path, 'READY=1\nSTATUS=é'), path).to.equal(true);
          expect(receiver.read()).to.equal('READY=1\nSTATUS=é');
        } finally {
          receiver.close();
        }
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('sendUnixDatagram returns false if nothing is listening', () => {
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
