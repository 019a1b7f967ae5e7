/** A peer that takes log lines, in a process of its own. */
import { KilledProcess } from './killed-process.ts';

/** A peer that can be killed, and revived on the same port; it appends to one file. */
export class LogPeerProcess extends KilledProcess {
  constructor(file: string) {
    super('log-peer.ts', file);
  }
}
