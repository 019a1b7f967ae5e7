/** A peer that receives log lines, in its own process. */
import { KilledProcess } from './killed-process.ts';

/** A peer that can be killed and restarted on the same port. The peer appends to one file. */
export class LogPeerProcess extends KilledProcess {
  constructor(file: string) {
    super('log-peer.ts', file);
  }
}
