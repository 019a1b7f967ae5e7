/**
 * Exports spans to a collector in requests with Content-Length. OpenTelemetry's transport uses chunked transfer coding, which some
 * collectors and proxies reject. Retries requests to a busy or unavailable collector, as OTLP specifies.
 */
import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { createOtlpNetworkExportDelegate } from '@opentelemetry/otlp-exporter-base';
import type { convertLegacyHttpOptions } from '@opentelemetry/otlp-exporter-base/node-http';

/** Settings for the connection to the collector, from environment variables. */
export type CollectorSettings = ReturnType<typeof convertLegacyHttpOptions>;
type Transport = Parameters<typeof createOtlpNetworkExportDelegate>[3];
type Outcome = Awaited<ReturnType<Transport['send']>>;

const compress = promisify(gzip);
/** Maximum size of a collector's response, in bytes. */
const maxResponse = 4 * 1024 * 1024;
/** Retryable status codes (OTLP/HTTP, "Failures"). */
const retryable = new Set([429, 502, 503, 504]);
const tries = 6;
const firstPause = 1000;
const maxPause = 5000;

/** Transport for the SDK's span exporter. */
export class LengthTransport implements Transport {
  readonly #settings: CollectorSettings;
  #agent: Agent | null = null;

  constructor(settings: CollectorSettings) {
    this.#settings = settings;
  }

  async send(data: Uint8Array, timeout: number): Promise<Outcome> {
    const body = this.#settings.compression === 'gzip' ? await compress(data) : Buffer.from(data);
    const headers = { ...(await this.#settings.headers()), 'Content-Length': String(body.length) };
    const end = performance.now() + timeout;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#post(body, headers, Math.max(1, end - performance.now()));
      if (outcome.status !== 'retryable' || attempt === tries) return outcome;
      const pause = outcome.retryInMillis ?? Math.min(maxPause, firstPause * 1.5 ** (attempt - 1));
      if (performance.now() + pause > end) return outcome;
      await sleep(pause);
    }
  }

  shutdown(): void {
    this.#agent?.destroy();
  }

  async #post(body: Buffer, headers: Record<string, string>, timeout: number): Promise<Outcome> {
    const url = new URL(this.#settings.url);
    this.#agent ??= await this.#settings.agentFactory(url.protocol);
    const agent = this.#agent;
    if (this.#settings.compression === 'gzip') headers['Content-Encoding'] = 'gzip';
    return new Promise((resolve) => {
      const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const outgoing = send(url, { method: 'POST', headers, agent, timeout }, (incoming) => {
        void outcomeOf(incoming).then(resolve, (error: Error) => resolve({ status: 'retryable', error }));
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error('the collector did not respond in time')));
      outgoing.on('error', (error) => resolve({ status: 'retryable', error }));
      outgoing.end(body);
    });
  }
}

async function outcomeOf(incoming: IncomingMessage): Promise<Outcome> {
  const status = incoming.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxResponse) return { status: 'failure', error: new Error("the collector's response is too large") };
    chunks.push(chunk);
  }
  if (status >= 200 && status < 300) return { status: 'success', data: Buffer.concat(chunks) };
  const error = new Error(`the collector responded with ${status}`);
  if (!retryable.has(status)) return { status: 'failure', error };
  const seconds = Number(incoming.headers['retry-after']);
  return seconds > 0 ? { status: 'retryable', error, retryInMillis: seconds * 1000 } : { status: 'retryable', error };
}
