/** What the threads tell each other about the keys of session tickets. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Control to all: keys of session tickets, the current one first; none leaves them to OpenSSL. */
export const ticketKeysChanged: Topic<readonly Uint8Array[]> = topic('tls.ticket_keys');

/** Asked by a thread that begins. */
export const currentTicketKeys: Question<null, readonly Uint8Array[]> = question('tls.current_ticket_keys');
