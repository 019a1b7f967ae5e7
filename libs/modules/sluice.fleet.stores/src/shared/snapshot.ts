/** Snapshots as stores keep them. */
import type { Json } from '@sluice/base';
import { decodeHead, encodeHead, unreadableError, type Snapshot } from '@sluice/fleet';

/** The text of a snapshot: its head in the first line, the document after it. */
export function encodeSnapshot({ head, document }: Snapshot): string {
  return `${encodeHead(head)}\n${JSON.stringify(document)}`;
}

/** Reads {@link encodeSnapshot}. */
export function decodeSnapshot(text: string): Snapshot {
  const end = text.indexOf('\n');
  const head = decodeHead(text.slice(0, end));
  try {
    return { head, document: JSON.parse(text.slice(end + 1)) as Json };
  } catch (error) {
    throw unreadableError('a snapshot', error);
  }
}
