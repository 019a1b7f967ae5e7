/** Receives datagrams on a Unix datagram socket, as systemd does. Node does not support such sockets. */
import { rmSync } from 'node:fs';

const unixFamily = 1;
const datagram = 0o2000002;
const dontWait = 0x40;

/** A socket that receives datagrams at a path. */
export class DatagramSocket {
  readonly path: string;
  readonly #socket: number;
  readonly #calls: ReturnType<typeof calls>;
  readonly #received: string[] = [];

  constructor(path: string) {
    this.path = path;
    this.#calls = calls();
    this.#socket = this.#calls.socket(unixFamily, datagram, 0);
    const address = Buffer.concat([Buffer.from([unixFamily, 0]), Buffer.from(`${path}\0`)]);
    if (this.#calls.bind(this.#socket, address, address.length) !== 0) throw new Error(`cannot bind ${path}`);
  }

  get received(): readonly string[] {
    const bytes = Buffer.alloc(4096);
    for (;;) {
      const size = Number(this.#calls.recv(this.#socket, bytes, 4096n, dontWait));
      if (size < 0) return this.#received;
      this.#received.push(bytes.toString('utf8', 0, size));
    }
  }

  close(): void {
    this.#calls.close(this.#socket);
    rmSync(this.path, { force: true });
  }
}

function calls() {
  return process.getBuiltinModule('node:ffi').dlopen(null, {
    bind: { arguments: ['i32', 'buffer', 'u32'], return: 'i32' },
    close: { arguments: ['i32'], return: 'i32' },
    recv: { arguments: ['i32', 'buffer', 'u64', 'i32'], return: 'i64' },
    socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
  } as const).functions;
}
