/** Converts recorded requests to requests that can be explained. */
import type { RunningServer } from '@sluice/registry';
import { requestSamplesToken, requestTracesToken } from '@sluice/http-observability';
import type { ExplainRequest, ExplainTls } from './types.ts';

/** A recorded request, without secrets. */
export interface RecordedRequest {
  /** Server name. `null` for an imported request, which is explained for the server on its port. */
  readonly server: string | null;
  /** Configuration path of the route that ended the request. */
  readonly route?: string | null;
  readonly request: {
    readonly method: string;
    readonly proto: string;
    readonly host: string;
    readonly path: string;
    readonly query: string | null;
    readonly client_ip: string;
    readonly remote_port: number;
    /** IP address of the peer. `local_port` is the port that the peer connected to. Traces from older versions lack both fields. */
    readonly remote_ip?: string;
    readonly local_port?: number;
    readonly tls: { readonly version: string; readonly server_name: string; readonly alpn: string } | null;
    readonly headers: Readonly<Record<string, readonly string[]>>;
    /** Length of the body in bytes. */
    readonly bytes?: number;
    /** Recorded body: text without secrets, or binary data. Missing if the body was not recorded. */
    readonly body?: string | { readonly base64: string } | null;
  };
  readonly response?: { readonly status: number };
  readonly upstream?: string | null;
}

/** Returns the most recent requests from the traces and the sample, newest first. */
export function lastRecorded(server: RunningServer, count: number): RecordedRequest[] {
  const traces: readonly unknown[] = server.service(requestTracesToken)?.last(count) ?? [];
  const samples = server.service(requestSamplesToken)?.records(count) ?? [];
  const requests = new Map<string, RecordedRequest>();
  for (const record of [...traces, ...samples])
    if (isRecorded(record)) {
      // A traced request may also be part of the sample.
      const key = JSON.stringify([record.server, { ...record.request, bytes: 0 }]);
      if (!requests.has(key)) requests.set(key, record);
    }
  return [...requests.values()].slice(0, count);
}

/** Reports whether a trace contains a request that can be explained. */
export function isRecorded(trace: unknown): trace is RecordedRequest {
  if (typeof trace !== 'object' || trace === null || !('server' in trace && 'request' in trace)) return false;
  const { server, request } = trace;
  if ((typeof server !== 'string' && server !== null) || typeof request !== 'object' || request === null) return false;
  const fields: Readonly<Record<string, unknown>> = { ...request };
  const texts = ['method', 'proto', 'host', 'path', 'client_ip'].every((name) => typeof fields[name] === 'string');
  return texts && typeof fields['headers'] === 'object' && fields['headers'] !== null;
}

/** Converts a recorded request to a request to explain. */
export function questionOf({ server, request }: RecordedRequest): ExplainRequest {
  const { method, proto, host, path, query, remote_port: port, local_port: localPort = 0, tls, headers } = request;
  const { remote_ip: client = request.client_ip } = request;
  const address = client.includes(':') ? `[${client}]` : client;
  return {
    url: `${tls === null ? 'http' : 'https'}://${host}${path}${query === null ? '' : `?${query}`}`,
    method,
    headers,
    protocol: proto,
    ...(server === null ? {} : { server }),
    ...(localPort === 0 ? {} : { port: localPort }),
    tls: tls === null ? false : tlsOf(tls),
    ...(client === '' ? {} : { client: `${address}:${port}` }),
  };
}

function tlsOf({ version, server_name, alpn }: NonNullable<RecordedRequest['request']['tls']>): ExplainTls {
  return { version, server_name, protocol: alpn };
}

/** Maximum length of a stand-in for a body that was not recorded, in bytes. */
const maxBodyLength = 64 * 1024;

/** Converts a recorded request like {@link questionOf}, but also includes the recorded body length and the upstream status. */
export function wholeQuestionOf(recorded: RecordedRequest): ExplainRequest {
  const question = questionOf(recorded);
  const { request, response, upstream } = recorded;
  const { bytes = 0, body = bytes > 0 && bytes <= maxBodyLength ? 'x'.repeat(bytes) : null } = request;
  return {
    ...question,
    ...(body === null ? {} : { body }),
    ...(upstream == null || response === undefined ? {} : { responses: [{ status: response.status }] }),
  };
}
