/** `protocol NAME` */
import type { Dispenser } from '@sluice/caddyfile';
import { eachLine } from '../common/words.ts';

/** Reads the protocol. */
export function readProtocol(reader: Dispenser): string {
  let protocol = '';
  eachLine(reader, () => {
    const words = reader.remaining();
    if (words.length !== 1) throw reader.error('expected exactly one protocol');
    [protocol = ''] = words;
  });
  return protocol;
}
