/** Messages about session ticket keys that threads exchange. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/**
 * Broadcast by the control thread when the session ticket keys have changed. The current key is first. An empty list means that OpenSSL
 * uses its own keys.
 */
export const ticketKeysChanged: Topic<readonly Uint8Array[]> = topic('tls.ticket_keys');

/** Request for the current session ticket keys, sent by each starting thread. */
export const currentTicketKeys: Question<null, readonly Uint8Array[]> = question('tls.current_ticket_keys');
