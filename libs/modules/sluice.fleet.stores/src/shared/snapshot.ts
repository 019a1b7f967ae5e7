/** Snapshots as stores keep them. */
import type { Json } from '@sluice/base';
import { decodeHead, encodeHead, type Snapshot } from '@sluice/fleet';

/** The text of a snapshot: its head in the first line, the document after it. */
export function encodeSnapshot({ head, document }: Snapshot): string {
  return `${encodeHead(head)}\n${JSON.stringify(document)}`;
}

/** Reads {@link encodeSnapshot}. */
export function decodeSnapshot(text: string): Snapshot {
  const end = text.indexOf('\n');
  return { head: decodeHead(text.slice(0, end)), document: JSON.parse(text.slice(end + 1)) as Json };
}
