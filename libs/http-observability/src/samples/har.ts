/** HTTP Archive (HAR) 1.2: exports recorded requests, and imports requests from browsers and other servers. */
import { isIP } from 'node:net';
import {
  objectAt,
  isArray,
  isObject,
  isSecretOfRequest,
  messageOf,
  redacted,
  redactedQuery,
  redactedText,
  SluiceError,
  withoutTokens,
  type Json,
  type JsonObject,
} from '@sluice/base';

import { recordedBody, type RecordedBody } from './recorded-body.ts';

/** Maximum number of requests in an imported HAR archive. */
const maxEntries = 10_000;

/** Maximum length of an imported request body, in UTF-16 code units. */
const maxBodyText = 100_000;

/** Converts recorded requests to a HAR archive. Parts that were not recorded, such as bodies, are omitted. */
export function archiveOf(records: readonly unknown[]): JsonObject {
  return {
    log: {
      version: '1.2',
      creator: { name: 'Sluice', version: '' },
      entries: records.flatMap((record) => (isObject(record as Json) ? [entryOf(record as JsonObject)] : [])),
    },
  };
}

function entryOf(record: JsonObject): JsonObject {
  const request = objectAt(record, ['request']);
  const response = objectAt(record, ['response']);
  const query = request['query'] ?? null;
  const url = `${request['tls'] === null ? 'http' : 'https'}://${textAt(request, 'host')}${textAt(request, 'path')}`;
  const duration = record['duration_ms'] ?? 0;
  return {
    startedDateTime: record['at'] ?? '',
    time: duration,
    request: {
      method: request['method'] ?? 'GET',
      url: query === null ? url : `${url}?${String(query)}`,
      httpVersion: request['proto'] ?? '',
      cookies: [],
      headers: pairsOf(objectAt(request, ['headers'])),
      queryString: queryPairs(query),
      headersSize: -1,
      bodySize: request['bytes'] ?? -1,
      ...postDataOf(request),
    },
    response: {
      status: response['status'] ?? 0,
      statusText: '',
      httpVersion: request['proto'] ?? '',
      cookies: [],
      headers: pairsOf(objectAt(response, ['headers'])),
      content: { size: response['bytes'] ?? 0, mimeType: '' },
      redirectURL: '',
      headersSize: -1,
      bodySize: response['bytes'] ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: duration, receive: 0 },
    _sluice: {
      server: record['server'] ?? null,
      route: record['route'] ?? null,
      upstream: record['upstream'] ?? null,
      client: request['remote_ip'] ?? null,
      port: request['local_port'] ?? null,
    },
  };
}

/** Returns the `postData` object of a HAR entry. HAR has no encoding for binary request bodies, so the member `_base64` marks them. */
function postDataOf({ body = null, headers = {} }: JsonObject): JsonObject {
  if (body === null) return {};
  const types = isObject(headers) ? (headers['content-type'] ?? []) : [];
  const mimeType = isArray(types) ? String(types[0] ?? '') : String(types);
  if (typeof body === 'string') return { postData: { mimeType, text: body } };
  return { postData: { mimeType, text: isObject(body) ? (body['base64'] ?? '') : '', _base64: true } };
}

/** Returns the body of a HAR entry with secrets removed. Returns `null` if there is no body, or if secrets in the body can't be detected. */
function bodyIn(request: JsonObject): RecordedBody | null {
  const data = objectAt(request, ['postData']);
  const content = textAt(data, 'text');
  if (content === '' || content.length > maxBodyText) return null;
  if (data['_base64'] === true) return { base64: content };
  return recordedBody(Buffer.from(content), textAt(data, 'mimeType'), false);
}

function pairsOf(fields: JsonObject): JsonObject[] {
  return Object.entries(fields).flatMap(([name, values]) =>
    (isArray(values) ? values : [values]).map((value) => ({ name, value: String(value) })),
  );
}

function queryPairs(query: Json): JsonObject[] {
  if (typeof query !== 'string') return [];
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

/**
 * Converts a HAR archive to recorded requests with secrets removed. Omits entries that aren't HTTP requests, such as `data:` URLs. Throws
 * `ERR_SAMPLES` for an invalid entry. The error identifies the entry.
 */
export function recordsIn(body: Buffer): JsonObject[] {
  let archive: Json;
  try {
    archive = JSON.parse(body.toString()) as Json;
  } catch (error) {
    throw archiveError(`not JSON: ${messageOf(error)}`);
  }
  const log = isObject(archive) ? archive['log'] : undefined;
  const entries = isObject(log) ? log['entries'] : undefined;
  if (!isArray(entries)) throw archiveError('expected {"log": {"entries": […]}} (HAR 1.2)');
  if (entries.length > maxEntries)
    throw archiveError(`has more than ${maxEntries} entries; split it into several files`);
  return entries.flatMap((entry, i) => {
    const record = recordOf(entry, `log.entries[${i}]`);
    return record === null ? [] : [record];
  });
}

/** Converts a HAR entry to a recorded request. Returns `null` if the entry isn't an HTTP request. */
function recordOf(entry: Json, where: string): JsonObject | null {
  const request = isObject(entry) ? entry['request'] : undefined;
  if (!isObject(entry) || !isObject(request)) throw archiveError(`${where}: has no request`);
  // Browsers record WebSockets with the scheme `ws` or `wss`.
  const url = URL.parse(textAt(request, 'url').replace(/^ws(?=s?:)/i, 'http'));
  if (url === null) throw archiveError(`${where}.request.url: not a URL`);
  if (!/^https?:$/.test(url.protocol)) return null;
  const method = textAt(request, 'method') || 'GET';
  if (!isToken(method)) throw archiveError(`${where}.request.method: ${JSON.stringify(method)} is not a method`);
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  const list = request['headers'];
  for (const field of isArray(list) ? list : []) {
    if (!isObject(field)) throw archiveError(`${where}.request.headers: expected {"name": …, "value": …}`);
    const name = textAt(field, 'name').toLowerCase();
    // Skip HTTP/2 pseudo-header fields, which browsers include.
    if (name === '' || name.startsWith(':')) continue;
    const value = textAt(field, 'value');
    if (!isToken(name) || /[\0\r\n]/.test(value))
      throw archiveError(`${where}.request.headers: ${JSON.stringify(name)} is not a header field`);
    // Skip `Host`, because the host comes from the URL.
    if (name === 'host') continue;
    (fields[name] ??= []).push(isSecretOfRequest(name) ? redacted : redactedText(value));
  }
  const own = objectAt(entry, ['_sluice']);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const response = objectAt(entry, ['response']);
  const body = bodyIn(request);
  const client = isIP(textAt(own, 'client')) === 0 ? '' : textAt(own, 'client');
  return {
    at: textAt(entry, 'startedDateTime'),
    server: textAt(own, 'server') || null,
    route: textAt(own, 'route') || null,
    request: {
      method,
      proto: protocolOf(textAt(request, 'httpVersion')),
      host: url.host,
      path: withoutTokens(url.pathname),
      query: url.search === '' ? null : redactedQuery(url.search.slice(1)),
      client_ip: client,
      remote_ip: client,
      remote_port: 0,
      local_port: integerAt(own, 'port', 1, 65_535) ?? port,
      tls: url.protocol === 'https:' ? { version: '', server_name: url.hostname, alpn: '' } : null,
      headers: fields,
      bytes: integerAt(request, 'bodySize', 0, Number.MAX_SAFE_INTEGER) ?? 0,
      ...(body === null ? {} : { body }),
    },
    response: { status: integerAt(response, 'status', 100, 999) ?? 0, headers: {}, bytes: 0 },
    duration_ms: typeof entry['time'] === 'number' ? entry['time'] : 0,
    upstream: textAt(own, 'upstream') || null,
  };
}

/** Parses an HTTP version. Browsers write `h2`, `http/2.0` or `HTTP/2`. */
function protocolOf(text: string): string {
  return /[23]/.test(text) ? 'HTTP/2.0' : text.endsWith('1.0') ? 'HTTP/1.0' : 'HTTP/1.1';
}

function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

/** Returns an integer property within bounds. Returns `null` if the value is invalid. */
function integerAt(object: JsonObject, key: string, min: number, max: number): number | null {
  const value = object[key];
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max ? value : null;
}

/** Reports whether a string is a valid token (RFC 9110 §5.6.2). */
function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`|~\w-]+$/.test(text);
}

function archiveError(message: string): SluiceError {
  return new SluiceError('ERR_SAMPLES', `archive: ${message}`, { status: 400 });
}
