/** A test server with the admin API on a separate port. The API manages a reconciler with small apps, and tests send real HTTP requests. */
import type { ProposalStore } from '../src/proposal.ts';
import { request as httpRequest, type Agent, type IncomingHttpHeaders } from 'node:http';
import { apps, defineModule, json, options, Registry, type Token } from '@sluice/registry';
import { createLogger, type Json, type LogEntry } from '@sluice/base';
import { Reconciler, noThreads, Runtime, type ConfigStore, type TrafficThreads } from '@sluice/reconciler';
import { identityProvision, type IdentityProvision } from '@sluice/contracts';
import {
  adminEndpoint,
  AdminEndpoint,
  ConfigPuller,
  configPuller,
  register,
  remoteEndpoint,
  serveAdmin,
} from '@sluice/admin-api';
import { Type } from 'typebox';

/** Request options. */
export interface Sent {
  readonly method?: string;
  /** Value to send as JSON, with the matching content type. */
  readonly json?: unknown;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The response body parsed as JSON, or `undefined` if it is not JSON. */
  readonly json: unknown;
}

export interface TestServer {
  readonly reconciler: Reconciler;
  readonly registry: Registry;
  readonly endpoint: AdminEndpoint;
  readonly remote: AdminEndpoint;
  readonly entries: readonly LogEntry[];
  /** Actions of the test apps: `+name` for start and `-name` for stop. */
  readonly events: string[];
  readonly port: number;
  /** If true, the traffic threads reject every change. */
  refuseInThreads: boolean;
  ask(path: string, sent?: Sent): Promise<TestResponse>;
  stopped(): boolean;
  /** Returns the number of stop requests. */
  stops(): number;
  close(): Promise<void>;
}

export interface TestServerOptions {
  readonly document?: Json;
  readonly defaultAddress?: string;
  readonly bodyLimit?: number;
  /** Returns dashboard files. If omitted, there is no dashboard. */
  readonly pageFile?: (name: string) => Buffer | null;
  /** Provisions `admin.identity`. If omitted, the endpoint has no identity. */
  readonly identity?: IdentityProvision;
  /** Configuration store. If omitted, nothing is saved. */
  readonly store?: ConfigStore;
  readonly prepare?: (registry: Registry) => void;
  readonly proposalStore?: ProposalStore;
}

/** Sends a request and reads the response. The path is sent verbatim. */
export function ask(
  target: { port: number } | { socketPath: string },
  path: string,
  sent: Sent = {},
  agent?: Agent,
): Promise<TestResponse> {
  const headers: Record<string, string> = {
    ...(sent.json === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...sent.headers,
  };
  const body = sent.json === undefined ? sent.body : JSON.stringify(sent.json);
  if (body !== undefined && headers['Transfer-Encoding'] === undefined)
    headers['Content-Length'] ??= String(Buffer.byteLength(body));
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', ...target, method: sent.method ?? 'GET', path, headers, agent: agent ?? false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
        });
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Starts a server. Its app `any` rejects objects that contain the string `refuse`, and fails with an internal error for the string `bug`.
 * Its app `strict` has a single option, `text`.
 */
export async function startServer(settings: TestServerOptions = {}): Promise<TestServer> {
  const entries: LogEntry[] = [];
  const events: string[] = [];
  const log = createLogger({ enabled: () => true, write: (entry) => void entries.push(entry) });
  const registry = fakeRegistry(events);
  settings.prepare?.(registry);
  const endpoint = new AdminEndpoint({ defaultAddress: settings.defaultAddress ?? '127.0.0.1:0', log });
  const remote = new AdminEndpoint({ defaultAddress: '127.0.0.1:0', log });
  const puller = new ConfigPuller(log);
  const services = new Map<Token<unknown>, unknown>([
    [adminEndpoint, endpoint],
    [remoteEndpoint, remote],
    [configPuller, puller],
    ...(settings.identity === undefined ? [] : ([[identityProvision, settings.identity]] as const)),
  ]);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log, services });
  const traffic = { refuses: false };
  const threads: TrafficThreads = {
    ...noThreads,
    prepare: async () => {
      if (traffic.refuses) throw new Error('a worker refused');
    },
  };
  const reconciler = new Reconciler({ registry, runtime, threads, store: settings.store ?? null, log });
  puller.serve(reconciler);
  let stops = 0;
  const stop = (): void => {
    stops++;
  };
  serveAdmin({
    reconciler,
    endpoint,
    remote,
    log,
    version: '1.2.3',
    onStop: stop,
    ...(settings.bodyLimit === undefined ? {} : { bodyLimit: settings.bodyLimit }),
    ...(settings.pageFile === undefined ? {} : { pageFile: settings.pageFile }),
    ...(settings.proposalStore === undefined ? {} : { proposalStore: settings.proposalStore }),
  });
  const close = async (): Promise<void> => {
    puller.close();
    await reconciler.close();
    await endpoint.close();
    await remote.close();
  };
  try {
    await reconciler.load(settings.document ?? null, { force: true });
    await endpoint.ready();
  } catch (error) {
    await close();
    throw error;
  }
  const portNow = (): number => Number(/\d+$/.exec(endpoint.address ?? '')?.[0]);
  return {
    reconciler,
    registry,
    endpoint,
    remote,
    entries,
    events,
    get port() {
      return portNow();
    },
    set refuseInThreads(refuses: boolean) {
      traffic.refuses = refuses;
    },
    ask: (path, sent) => ask({ port: portNow() }, path, sent),
    stopped: () => stops > 0,
    stops: () => stops,
    close,
  };
}

function fakeRegistry(events: string[]): Registry {
  const any = defineModule(apps, {
    name: 'any',
    help: 'Takes anything.',
    config: Type.Record(Type.String(), json('Anything.')),
    provision(config, context) {
      const text = JSON.stringify(config);
      if (text.includes('"refuse"')) throw context.error('refused on request');
      if (text.includes('"bug"')) (undefined as unknown as { never: () => void }).never();
      events.push('+any');
      context.onDispose(() => void events.push('-any'));
      return {};
    },
  });
  const strict = defineModule(apps, {
    name: 'strict',
    help: 'Has one option.',
    config: options({ text: json('A text.') }),
    provision: () => ({}),
  });
  return new Registry().use(register).add(any).add(strict);
}
