/** Access logs of a server: one entry per request, in Caddy's format. */
import { performance } from 'node:perf_hooks';
import type { DeferredFields, LogFields, LogLevel } from '@sluice/base';
import type { Exchange } from '../exchange/exchange.ts';
import { finalStatus } from './final-status.ts';
import type { HostLoggers } from './host-loggers.ts';
import { escaped, headersObject, HeadersText, quoted } from './log-text.ts';
import { requestObject, RequestText } from './request-fields.ts';

export class AccessLog {
  readonly #loggers: HostLoggers;
  readonly #texts: HeadTexts;

  constructor(loggers: HostLoggers, showCredentials: boolean) {
    this.#loggers = loggers;
    this.#texts = {
      showCredentials,
      request: new RequestText(showCredentials),
      response: new HeadersText(showCredentials, (status) => `,"status":${status},"resp_headers":`),
    };
  }

  /** Writes the log entry of a completed exchange. `responded` is false if no handler wrote a response. Called by the server. */
  write(exchange: Exchange, responded: boolean): void {
    if (exchange.variable('log_skip') === true) return;
    const loggers = this.#loggers.ofRequest(exchange.originalHost);
    if (loggers.length === 0) return;
    const status = responded ? finalStatus(exchange) : 0;
    const level: LogLevel = status >= 500 || exchange.writer.broken !== '' ? 'error' : 'info';
    const fields = new AccessFields(exchange, status, responded, this.#texts);
    for (const logger of loggers) logger.defer(level, responded ? 'handled request' : 'NOP', fields);
  }
}

/** Options for formatting requests and header fields. */
interface HeadTexts {
  readonly showCredentials: boolean;
  readonly request: RequestText;
  readonly response: HeadersText;
}

/**
 * JSON text between the request and the duration of a log entry, if no body was read and no user is authenticated. Stored as a constant,
 * because assembling log lines from pieces costs time.
 */
const defaultFacts = '},"bytes_read":0,"user_id":"","duration":';

/** Log fields of one request. Encoders read them immediately, before the exchange changes. */
class AccessFields implements DeferredFields {
  readonly #exchange: Exchange;
  readonly #status: number;
  readonly #size: number;
  readonly #texts: HeadTexts;
  readonly moment: number;
  #json: string | null = null;

  constructor(exchange: Exchange, status: number, responded: boolean, texts: HeadTexts) {
    this.#exchange = exchange;
    this.#status = status;
    this.#size = responded ? exchange.writer.size : 0;
    this.#texts = texts;
    this.moment = performance.now();
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
      duration: this.moment - exchange.startedAt,
      size: this.#size,
      status: this.#status,
      resp_headers: headersObject(exchange.writer.headers, this.#texts.showCredentials, null),
    };
    if (exchange.writer.broken !== '') fields['incomplete'] = exchange.writer.broken;
    if (exchange.logFields !== null) for (const [name, value] of exchange.logFields) fields[name] = value;
    return fields;
  }

  #write(): string {
    const exchange = this.#exchange;
    const seconds = Math.round((this.moment - exchange.startedAt) * 1e6) / 1e9;
    const { received } = exchange.arrivingBody;
    const user = userOf(exchange);
    const facts =
      received === 0 && user === ''
        ? defaultFacts
        : `},"bytes_read":${received},"user_id":"${escaped(user)}","duration":`;
    let text =
      this.#texts.request.of(exchange) +
      facts +
      seconds +
      ',"size":' +
      this.#size +
      this.#texts.response.of(exchange.writer.headers, null, this.#status);
    if (exchange.writer.broken !== '') text += `,"incomplete":${quoted(exchange.writer.broken)}`;
    if (exchange.logFields !== null)
      for (const [name, value] of exchange.logFields) text += `,${quoted(name)}:${valueText(value)}`;
    return text;
  }
}

function userOf(exchange: Exchange): string {
  return String(exchange.placeholder('http.auth.user.id') ?? '');
}

/** Returns a value set by a handler as JSON. Values that JSON can't represent become strings. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return quoted(String(value));
  }
}
