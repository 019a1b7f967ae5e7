/** Access logs of a server: one entry per request, in the shape that readers of the reference's logs know. */
import type { DeferredFields, LogFields, Logger, LogLevel } from '@sluice/registry';
import type { Exchange } from '../exchange/exchange.ts';
import { statusOf } from '../routing/chain.ts';
import type { HostLoggers } from './host-loggers.ts';
import { headersObject, HeadersText, quoted } from './log-text.ts';
import { requestObject, requestText } from './request-fields.ts';

/** What an entry says of the answer, beside what the exchange knows. */
const clientClosed = 499;

/** Writes entries for the exchanges of a server. */
export class AccessLog {
  readonly #loggers: HostLoggers;
  readonly #texts: HeadTexts;

  constructor(loggers: HostLoggers, showCredentials: boolean) {
    this.#loggers = loggers;
    this.#texts = {
      showCredentials,
      request: new HeadersText(showCredentials),
      answer: new HeadersText(showCredentials),
    };
  }

  /** Writes the entry of an exchange that is over; `answered` is false where no handler had anything to say. Called by the server. */
  write(exchange: Exchange, answered: boolean): void {
    if (exchange.variable('log_skip') === true) return;
    const loggers = this.#loggers.ofRequest(exchange.originalHost);
    if (loggers.length === 0) return;
    const status = answered ? statusOfAnswer(exchange) : 0;
    const level: LogLevel = status >= 500 ? 'error' : 'info';
    let fields: AccessFields | null = null;
    for (let i = 0; i < loggers.length; i++) {
      const logger = loggers[i] as Logger;
      if (!logger.enabled(level)) continue;
      fields ??= new AccessFields(exchange, status, answered, this.#texts);
      logger.defer(level, answered ? 'handled request' : 'NOP', fields);
    }
  }
}

function statusOfAnswer({ writer, aborted, error }: Exchange): number {
  if (writer.status !== 0) return writer.status;
  if (aborted) return clientClosed;
  return error === null ? 0 : statusOf(error);
}

/** How header fields are written. */
interface HeadTexts {
  readonly showCredentials: boolean;
  readonly request: HeadersText;
  readonly answer: HeadersText;
}

/** The fields of one request. Encoders read them at once, so that they see the exchange as it is. */
class AccessFields implements DeferredFields {
  readonly #exchange: Exchange;
  readonly #status: number;
  readonly #size: number;
  readonly #texts: HeadTexts;
  /** Milliseconds. */
  readonly #duration: number;
  #json: string | null = null;

  constructor(exchange: Exchange, status: number, answered: boolean, texts: HeadTexts) {
    this.#exchange = exchange;
    this.#status = status;
    this.#size = answered ? exchange.writer.size : 0;
    this.#texts = texts;
    this.#duration = performance.now() - exchange.startedAt;
  }

  json(): string {
    return (this.#json ??= this.#write());
  }

  fields(): LogFields {
    const exchange = this.#exchange;
    const fields: Record<string, unknown> = {
      request: requestObject(exchange, this.#texts.showCredentials),
      bytes_read: exchange.arrivingBody.received,
      user_id: userOf(exchange),
      duration: this.#duration,
      size: this.#size,
      status: this.#status,
      resp_headers: headersObject(exchange.writer.headers, this.#texts.showCredentials, null),
    };
    if (exchange.logFields !== null) for (const [name, value] of exchange.logFields) fields[name] = value;
    return fields;
  }

  #write(): string {
    const exchange = this.#exchange;
    let text =
      `"request":${requestText(exchange, this.#texts.request)},"bytes_read":${exchange.arrivingBody.received}` +
      `,"user_id":${quoted(userOf(exchange))},"duration":${Math.round(this.#duration * 1e6) / 1e9},"size":${this.#size}` +
      `,"status":${this.#status},"resp_headers":${this.#texts.answer.of(exchange.writer.headers, null)}`;
    if (exchange.logFields !== null)
      for (const [name, value] of exchange.logFields) text += `,${quoted(name)}:${valueText(value)}`;
    return text;
  }
}

function userOf(exchange: Exchange): string {
  return String(exchange.placeholder('http.auth.user.id') ?? '');
}

/** JSON of what a handler added; what JSON cannot say becomes text. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return quoted(String(value));
  }
}
