/** Runs a log receiver in a separate process. */
import { KilledProcess } from './killed-process.ts';

/** A log receiver that can be killed and restarted on the same port. It appends all received lines to one file. */
export class LogPeerProcess extends KilledProcess {
  constructor(file: string) {
    super('log-peer.ts', file);
  }
}
