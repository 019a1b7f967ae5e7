/** Batches datagrams to the same address, so that one system call can send them (generic segmentation offload). */
import type { DatagramOutput } from '../connection/datagram-output.ts';
import type { PeerAddress } from '../wire/address.ts';

/** One or more datagrams in `bytes[start..end)`. Each datagram has `segment` bytes, except that the last one may be shorter. */
export interface DatagramRun {
  bytes: Buffer;
  start: number;
  end: number;
  segment: number;
  to: PeerAddress;
  /** ECN bits. */
  codepoint: number;
}

export interface DatagramTransport {
  /** Sends datagrams. The memory may be overwritten after the call. Drops datagrams that can't be sent. */
  send(run: DatagramRun): void;
}

/** Limits of one system call on Linux: maximum UDP payload in bytes, and maximum number of segments. */
const maxRun = 65_507;
const maxSegments = 64;
const nowhere: PeerAddress = { host: '', port: 0, key: '' };

export class DatagramBatch implements DatagramOutput {
  readonly bytes: Buffer;
  readonly #transport: DatagramTransport;
  readonly #run: DatagramRun;
  #begun = 0;
  #segments = 0;

  /** `bytes` is memory of at least 64 KiB that both the ciphers and the socket can use. */
  constructor(transport: DatagramTransport, bytes: Buffer) {
    this.#transport = transport;
    this.bytes = bytes;
    this.#run = { bytes, start: 0, end: 0, segment: 0, to: nowhere, codepoint: 0 };
  }

  begin(size: number, to: PeerAddress, codepoint: number): number {
    const run = this.#run;
    const isOther = run.to !== to || run.codepoint !== codepoint;
    if (run.end > 0 && (isOther || run.end + size > this.bytes.length || this.#full(size))) this.flush();
    run.to = to;
    run.codepoint = codepoint;
    this.#begun = run.end;
    return run.end;
  }

  #full(size: number): boolean {
    const run = this.#run;
    return this.#segments >= maxSegments || run.end - run.start + size > maxRun;
  }

  commit(size: number): void {
    const run = this.#run;
    if (run.end > run.start && size > run.segment) {
      // Send the previous datagrams first, because this datagram is larger.
      this.#transport.send(run);
      run.start = run.end;
      this.#segments = 0;
    }
    if (run.end === run.start) run.segment = size;
    run.end = this.#begun + size;
    this.#segments += 1;
    if (size < run.segment) this.flush();
  }

  flush(): void {
    const run = this.#run;
    if (run.end > run.start) this.#transport.send(run);
    run.start = run.end = 0;
    this.#segments = 0;
  }
}
