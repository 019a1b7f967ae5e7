/** HTTP Archive (HAR) 1.2: exports recorded requests, and imports requests of browsers and other servers. */
import { isArray, isObject, messageOf, SluiceError, type Json, type JsonObject } from '@sluice/base';

/** Maximum number of requests in an imported archive. */
const maxEntries = 10_000;

/** Converts records to an archive. Parts that are not recorded, such as bodies, are omitted. */
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
  const request = partOf(record, 'request');
  const response = partOf(record, 'response');
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
      headers: pairsOf(partOf(request, 'headers')),
      queryString: queryPairs(query),
      headersSize: -1,
      bodySize: request['bytes'] ?? -1,
    },
    response: {
      status: response['status'] ?? 0,
      statusText: '',
      httpVersion: request['proto'] ?? '',
      cookies: [],
      headers: pairsOf(partOf(response, 'headers')),
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

function pairsOf(fields: JsonObject): JsonObject[] {
  return Object.entries(fields).flatMap(([name, values]) =>
    (isArray(values) ? values : [values]).map((value) => ({ name, value: String(value) })),
  );
}

function queryPairs(query: Json): JsonObject[] {
  if (typeof query !== 'string') return [];
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}

/** Converts an archive to records. Throws ERR_SAMPLES, which names the entry. */
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
  if (entries.length > maxEntries) throw archiveError(`has more than ${maxEntries} entries; split it`);
  return entries.map((entry, i) => recordOf(entry, `log.entries[${i}]`));
}

function recordOf(entry: Json, where: string): JsonObject {
  const request = isObject(entry) ? entry['request'] : undefined;
  if (!isObject(entry) || !isObject(request)) throw archiveError(`${where}: has no request`);
  const url = URL.parse(textAt(request, 'url'));
  if (url === null || !/^https?:$/.test(url.protocol)) throw archiveError(`${where}.request.url: not an HTTP URL`);
  const fields: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  const list = request['headers'];
  for (const field of isArray(list) ? list : []) {
    if (!isObject(field)) throw archiveError(`${where}.request.headers: expected {"name": …, "value": …}`);
    const name = textAt(field, 'name').toLowerCase();
    // Browsers add the pseudo-header fields of HTTP/2.
    if (name !== '' && !name.startsWith(':')) (fields[name] ??= []).push(textAt(field, 'value'));
  }
  const own = partOf(entry, '_sluice');
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  const response = partOf(entry, 'response');
  return {
    at: entry['startedDateTime'] ?? '',
    server: own['server'] ?? null,
    route: own['route'] ?? null,
    request: {
      method: textAt(request, 'method') || 'GET',
      proto: protocolOf(textAt(request, 'httpVersion')),
      host: url.host,
      path: url.pathname,
      query: url.search === '' ? null : url.search.slice(1),
      client_ip: own['client'] ?? '',
      remote_ip: own['client'] ?? '',
      remote_port: 0,
      local_port: own['port'] ?? port,
      tls: url.protocol === 'https:' ? { version: '', server_name: url.hostname, alpn: '' } : null,
      headers: fields,
      bytes: Math.max(0, Number(request['bodySize'] ?? 0)),
    },
    response: { status: response['status'] ?? 0, headers: {}, bytes: 0 },
    duration_ms: entry['time'] ?? 0,
    upstream: own['upstream'] ?? null,
  };
}

/** Browsers write `h2`, `http/2.0` or `HTTP/2`. */
function protocolOf(text: string): string {
  return /[23]/.test(text) ? 'HTTP/2.0' : text.endsWith('1.0') ? 'HTTP/1.0' : 'HTTP/1.1';
}

function partOf(object: JsonObject, key: string): JsonObject {
  const part = object[key];
  return isObject(part) ? part : {};
}

function textAt(object: JsonObject, key: string): string {
  const value = object[key];
  return typeof value === 'string' ? value : '';
}

function archiveError(message: string): SluiceError {
  return new SluiceError('ERR_SAMPLES', `archive: ${message}`, { status: 400 });
}
