/** WAF inspection of one request and its response. */
import { randomBytes } from 'node:crypto';
import type { Logger } from '@sluice/base';
import { AbortError, HttpError, isStreamingRequest, isStreamingResponse, type Exchange } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { EngineError, type EngineTransaction } from './engine-client.ts';
import {
  encodeHead,
  requestBody,
  requestEnd,
  requestHead,
  responseBody,
  responseEnd,
  responseHead,
  type Verdict,
} from './frames.ts';
import { InspectedBody } from './inspected-body.ts';
import type { WafResult } from './metrics.ts';
import type { WafStats } from './stats.ts';

/** Maximum size of a body chunk in one engine frame, in bytes. */
const maxPiece = 1024 * 1024;

/** Settings shared by all inspections of a WAF handler. */
export interface InspectionSettings {
  readonly stats: WafStats;
  readonly failOpen: boolean;
  readonly log: Logger;
  /** Name of the request field that contains the transaction ID. Empty if transaction IDs are generated. */
  readonly idField: string;
  /** Called when the WAF engine is unavailable. */
  onFailure(error: EngineError): void;
}

/** Error thrown when a WAF rule redirects the client. */
export class RedirectVerdict extends Error {
  readonly status: number;
  readonly target: string;

  constructor(status: number, target: string) {
    super(`redirected to ${target}`);
    this.status = status;
    this.target = target;
  }
}

export class Inspection {
  readonly #transaction: EngineTransaction;
  readonly #settings: InspectionSettings;
  readonly #exchange: Exchange;
  /** True if the engine failed and the request is passed on without inspection. */
  #isSkipped = false;
  #result: WafResult = 'passed';

  constructor(transaction: EngineTransaction, settings: InspectionSettings, exchange: Exchange) {
    this.#transaction = transaction;
    this.#settings = settings;
    this.#exchange = exchange;
  }

  /** Inspects the request. Throws if a rule rejects it. */
  async request(): Promise<void> {
    const exchange = this.#exchange;
    const { idField } = this.#settings;
    const id = (idField === '' ? '' : exchange.headers.get(idField)) || randomBytes(8).toString('hex');
    exchange.setPlaceholder('http.transaction_id', id);
    const hasBody = isReadableRequest(exchange);
    const { remoteAddress, remotePort, localAddress, localPort } = exchange.connection;
    const wantsBody = await this.#ask(
      requestHead,
      encodeHead(
        {
          id,
          client: exchange.clientIp,
          client_port: exchange.clientIp === remoteAddress ? remotePort : 0,
          server: localAddress,
          server_port: localPort,
          method: exchange.method,
          proto: exchange.proto,
          has_body: hasBody,
        },
        [[exchange.host, exchange.target], ...exchange.headers, ...codingOf(exchange)],
      ),
    );
    if (!wantsBody) return;
    const buffered = exchange.body.buffered();
    if (buffered !== null) {
      if (await this.#pieces(requestBody, buffered)) await this.#ask(requestEnd);
      return;
    }
    const body = new InspectedBody(exchange.body);
    exchange.body = body;
    for (;;) {
      const piece = await body.nextPiece();
      if (piece === null) {
        await this.#ask(requestEnd);
        return;
      }
      if (!(await this.#pieces(requestBody, piece))) return;
    }
  }

  /** Inspects a response head. Returns true if the body must be inspected too. Throws if a WAF rule rejects the response. */
  responseHead(exchange: Exchange, status: number, headers: HeaderMap): Promise<boolean> {
    return this.#ask(
      responseHead,
      encodeHead(
        {
          status,
          proto: exchange.proto,
          has_body: exchange.method !== 'HEAD' && status !== 204 && status !== 304 && isReadableResponse(headers),
        },
        headers,
      ),
    );
  }

  /** Inspects a chunk of the response body. Returns true if the engine must inspect more of the body. */
  responsePiece(piece: Buffer): Promise<boolean> {
    return this.#pieces(responseBody, piece);
  }

  async responseEnd(): Promise<void> {
    await this.#ask(responseEnd);
  }

  /** Ends the transaction. The engine then writes the transaction's audit log entry. */
  end(): void {
    this.#settings.stats.count(this.#result);
    this.#transaction.end();
  }

  async #pieces(kind: number, bytes: Buffer): Promise<boolean> {
    for (let at = 0; at < bytes.length; at += maxPiece)
      if (!(await this.#ask(kind, bytes.subarray(at, at + maxPiece)))) return false;
    return true;
  }

  async #ask(kind: number, payload?: Buffer): Promise<boolean> {
    if (this.#isSkipped) return false;
    const { stats } = this.#settings;
    const start = performance.now();
    let verdict: Verdict;
    stats.enter();
    try {
      verdict = await this.#transaction.ask(kind, payload);
      stats.leave(performance.now() - start);
    } catch (error) {
      stats.leave(-1);
      if (!(error instanceof EngineError)) throw error;
      this.#settings.onFailure(error);
      this.#result = this.#settings.failOpen ? 'uninspected' : 'unavailable';
      if (!this.#settings.failOpen)
        throw new HttpError(503, `the web application firewall is unavailable: ${error.message}`, error);
      this.#isSkipped = true;
      return false;
    }
    if (verdict.action !== undefined) throw this.#rejected(verdict.action, verdict);
    return verdict.body === true;
  }

  #rejected(action: string, { status = 0, rule = 0, phase = 0, data = '' }: Verdict): Error {
    const exchange = this.#exchange;
    this.#result = 'blocked';
    this.#settings.stats.countRule(rule, phase);
    this.#settings.log.warn('request blocked by web application firewall', {
      rule,
      phase,
      action,
      method: exchange.method,
      host: exchange.host,
      uri: exchange.originalUri,
      client_ip: exchange.clientIp,
    });
    exchange.setPlaceholder('http.waf.rule', rule);
    if (action === 'drop') return new AbortError(`rule ${rule} of the web application firewall dropped the connection`);
    if (action === 'redirect') return new RedirectVerdict(status >= 300 && status < 400 ? status : 302, data);
    return new HttpError(status >= 400 ? status : 403, `blocked by rule ${rule} of the web application firewall`);
  }
}

const none: readonly (readonly [string, string])[] = [];
const chunked: readonly (readonly [string, string])[] = [['transfer-encoding', 'chunked']];

/** Returns the Transfer-Encoding of a request as a field that rules can inspect. Exchanges don't store this field. */
function codingOf({ body, proto, headers }: Exchange): readonly (readonly [string, string])[] {
  return proto.startsWith('HTTP/1') && body.length < 0 && !headers.has('transfer-encoding') ? chunked : none;
}

/**
 * Reports whether rules can inspect the request body, which must be finite and not empty. HTTP/1.1 requests are not checked for streaming.
 * Their tunnels have no body, and gRPC doesn't use HTTP/1.1.
 */
function isReadableRequest(exchange: Exchange): boolean {
  return exchange.body.length !== 0 && (exchange.proto.startsWith('HTTP/1') || !isStreamingRequest(exchange));
}

/** Reports whether rules can inspect the response body, which must be finite and uncompressed. */
function isReadableResponse(headers: HeaderMap): boolean {
  if (isStreamingResponse(headers)) return false;
  const coding = headers.get('content-encoding') ?? '';
  return coding === '' || coding === 'identity';
}
