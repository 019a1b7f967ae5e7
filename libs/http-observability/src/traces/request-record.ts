/** Recorded request and response of a completed exchange, with secrets removed. */
import { redactedQuery, withoutTokens } from '@sluice/base';
import { type Exchange, finalStatus } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { redactedHeaders } from './redact-request.ts';

/** Maximum length of a recorded string, in UTF-16 code units. */
export const maxTextLength = 2048;

/** Header fields by lowercase name, with secrets removed. */
export type RecordedFields = Readonly<Record<string, readonly string[]>>;

/** Request and response parts of a recorded request. */
export interface RequestRecord {
  readonly server: string | null;
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>>;
}

/**
 * Returns the record of an exchange. `headers` contains the request fields as the client sent them. Handlers may have changed the
 * exchange's fields.
 */
export function requestRecord(exchange: Exchange, headers: RecordedFields): RequestRecord {
  const { writer, connection } = exchange;
  const { tls } = connection;
  return {
    server: exchange.server?.name ?? null,
    request: {
      method: short(exchange.originalMethod),
      proto: exchange.proto,
      host: short(exchange.originalHost),
      path: short(withoutTokens(exchange.originalRawPath)),
      query: exchange.originalQuery === null ? null : short(redactedQuery(exchange.originalQuery)),
      client_ip: exchange.clientIp,
      remote_ip: connection.remoteAddress,
      remote_port: connection.remotePort,
      local_port: connection.localPort,
      tls: tls === null ? null : { version: tls.version, server_name: tls.serverName, alpn: tls.protocol },
      headers,
      bytes: exchange.arrivingBody.received,
    },
    response: { status: finalStatus(exchange), headers: redactedHeaders(writer.headers), bytes: writer.size },
  };
}

/** Truncates a string to {@link maxTextLength}. */
export function short(text: string): string {
  return text.slice(0, maxTextLength).toWellFormed();
}

/** Returns the record with all secrets included, for use only in memory. `headers` contains the request fields as the client sent them. */
export function wholeRecord(exchange: Exchange, headers: RecordedFields, body: Buffer | null): RequestRecord {
  const record = requestRecord(exchange, headers);
  const { originalRawPath: path, originalQuery: query } = exchange;
  const copy = body === null ? {} : { body: { base64: body.toString('base64') } };
  return {
    ...record,
    request: { ...record.request, path, query, ...copy },
    response: { status: finalStatus(exchange) },
  };
}

export function fieldsOf(headers: HeaderMap): RecordedFields {
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const [name, value] of headers) (fields[name] ??= []).push(value);
  return fields;
}
