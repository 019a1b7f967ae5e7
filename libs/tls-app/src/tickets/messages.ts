/** Messages about session ticket keys between threads. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Broadcast by the control thread: session ticket keys, current one first. Empty = OpenSSL's own keys. */
export const ticketKeysChanged: Topic<readonly Uint8Array[]> = topic('tls.ticket_keys');

/** Query for the current keys, sent by a starting thread. */
export const currentTicketKeys: Question<null, readonly Uint8Array[]> = question('tls.current_ticket_keys');
