/** Requests to log QUIC connections, and the messages between threads about them. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Maximum size of one log, in bytes. */
export const maxLogBytes = 4 * 1024 * 1024;

/** An active request, as sent to traffic threads. */
export interface LogOrder {
  readonly id: string;
  /** IP addresses and CIDR ranges of clients; empty means all clients. */
  readonly client: readonly string[];
  /** Maximum number of connections. */
  readonly count: number;
}

/** Records of a connection, sent to the control thread. */
export interface LoggedRecords {
  readonly order: string;
  /** Number of the connection within its thread. */
  readonly connection: number;
  readonly client: string;
  readonly records: string;
  /** True if the connection has ended. */
  readonly closed: boolean;
  readonly truncated: boolean;
}

/** Sent from the control thread: all active requests. */
export const logOrdersTopic: Topic<readonly LogOrder[]> = topic('qlogs.orders');

/** Question that threads ask when they accept their first connection. */
export const logOrdersQuestion: Question<null, readonly LogOrder[]> = question('qlogs.orders');

/** Sent to the control thread. */
export const loggedTopic: Topic<LoggedRecords> = topic('qlogs.records');
