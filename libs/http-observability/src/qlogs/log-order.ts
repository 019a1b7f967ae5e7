/** Requests to log QUIC connections, and the messages that threads exchange about them. */
import { question, topic, type Question, type Topic } from '@sluice/threads';

/** Maximum size of one qlog, in bytes. */
export const maxLogBytes = 4 * 1024 * 1024;

/** An active log request, as sent to traffic threads. */
export interface LogOrder {
  readonly id: string;
  /** IP addresses and CIDR ranges of clients to log. An empty list means all clients. */
  readonly client: readonly string[];
  /** Maximum number of connections to log. */
  readonly count: number;
}

/** qlog records of a connection, sent to the control thread. */
export interface LoggedRecords {
  readonly order: string;
  /** Number that identifies the connection within its thread. */
  readonly connection: number;
  readonly client: string;
  readonly records: string;
  /** True if the connection is closed. */
  readonly closed: boolean;
  readonly truncated: boolean;
}

/** Topic on which the control thread sends all active log requests. */
export const logOrdersTopic: Topic<readonly LogOrder[]> = topic('qlogs.orders');

/** Message that a thread sends when it accepts its first QUIC connection. The response contains the active log requests. */
export const logOrdersQuestion: Question<null, readonly LogOrder[]> = question('qlogs.orders');

/** Topic on which traffic threads send records to the control thread. */
export const loggedTopic: Topic<LoggedRecords> = topic('qlogs.records');
