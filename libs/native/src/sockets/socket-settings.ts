/** Options of TCP sockets. Connections inherit them from their listening socket. */
import { Block } from '../memory.ts';
import { system } from './functions.ts';

const level = { socket: 1, tcp: 6 } as const;
const keepAlive = 9;
const tcp = { noDelay: 1, keepIdle: 4, keepInterval: 5, keepCount: 6 } as const;
/** Number of seconds between keep-alive probes, and number of probes, as in libuv. */
const interval = 1;
const probes = 10;

let value: Block | null = null;

function setOption(descriptor: number, of: number, option: number, to: number): void {
  value ??= new Block(4).pin();
  value.bytes.writeInt32LE(to);
  system().setsockopt(descriptor, of, option, value.at(0, 4), 4);
}

export function setNoDelay(descriptor: number): void {
  setOption(descriptor, level.tcp, tcp.noDelay, 1);
}

/** Enables keep-alive probes after the given number of seconds without data; 0 disables the probes. */
export function setKeepAlive(descriptor: number, seconds: number): void {
  setOption(descriptor, level.socket, keepAlive, seconds > 0 ? 1 : 0);
  if (seconds <= 0) return;
  setOption(descriptor, level.tcp, tcp.keepIdle, seconds);
  setOption(descriptor, level.tcp, tcp.keepInterval, interval);
  setOption(descriptor, level.tcp, tcp.keepCount, probes);
}
