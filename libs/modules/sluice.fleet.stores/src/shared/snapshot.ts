/** Storage format of configuration snapshots. */
import type { Json } from '@sluice/base';
import { decodeHead, encodeHead, unreadableError, type Snapshot } from '@sluice/fleet';

/** Serializes a snapshot: the log head on the first line, followed by the document. */
export function encodeSnapshot({ head, document }: Snapshot): string {
  return `${encodeHead(head)}\n${JSON.stringify(document)}`;
}

/** Parses a snapshot that {@link encodeSnapshot} serialized. */
export function decodeSnapshot(text: string): Snapshot {
  const end = text.indexOf('\n');
  const head = decodeHead(text.slice(0, end));
  try {
    return { head, document: JSON.parse(text.slice(end + 1)) as Json };
  } catch (error) {
    throw unreadableError('a snapshot', error);
  }
}
