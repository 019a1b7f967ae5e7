/** `http.handlers.waf`: web application firewall (WAF), which runs OWASP Coraza in a separate process. */
import { messageOf, parseDuration, type Logger } from '@sluice/base';
import { httpHandlers, type Exchange, type HttpHandler, type Next, type Watch } from '@sluice/http-app';
import { defineModule, ResourcePool, type Context } from '@sluice/registry';
import { metricsToken } from '@sluice/telemetry';
import { question, threadBusToken, type Question } from '@sluice/threads';
import { EngineClient, type EngineError } from './engine-client.ts';
import { EngineProcess, type EngineSettings } from './engine-process.ts';
import { EngineTable } from './engine-table.ts';
import { InspectedResponse } from './inspected-response.ts';
import { Inspection, RedirectVerdict, type InspectionSettings } from './inspection.ts';
import { wafInFlight, wafRestarts } from './metrics.ts';
import { wafOptions } from './options.ts';

const defaultTimeout = 10_000;
/** Minimum interval between log entries about an unavailable WAF engine, in milliseconds. */
const logInterval = 10_000;

/** Engine processes of the control thread, keyed by rule set. Each thread also pools its engine connections by rule set. */
const processes = new ResourcePool<EngineProcess>();
const clients = new ResourcePool<EngineClient>();

/** The WAF module of one registry, with this thread's engines. */
export interface WafModule {
  readonly descriptor: ReturnType<typeof makeDescriptor>;
  readonly engines: EngineTable;
}

export function makeWafModule(): WafModule {
  const engines = new EngineTable();
  return { descriptor: makeDescriptor(engines), engines };
}

function makeDescriptor(engines: EngineTable) {
  return defineModule(httpHandlers, {
    name: 'waf',
    help: 'Web application firewall: inspects requests and responses with OWASP Coraza. Requires the WAF engine, a separate program. `{http.waf.rule}` is the ID of the rule that rejected a request. Compatible with the Caddy plugin corazawaf/coraza-caddy.',
    config: wafOptions,
    effect: 'consumes',
    async provision(config, context): Promise<HttpHandler> {
      if (process.platform === 'win32')
        throw context.error('the WAF engine requires Linux, macOS or another Unix-like system');
      const timeout = config.timeout == null ? defaultTimeout : parseDuration(config.timeout);
      if (!(timeout > 0)) throw context.error('timeout must be greater than zero', 'timeout');
      const settings: EngineSettings = {
        engine: config.engine ?? '',
        directives: config.directives ?? '',
        include: (config.include ?? []).filter((file) => file !== null),
        load_owasp_crs: config.load_owasp_crs === true,
      };
      const key = JSON.stringify(settings);
      const socket = await socketOf(settings, key, engines, context);
      const client = await context.acquire(clients, `${timeout} ${socket}`, () => new EngineClient(socket, timeout));
      const metrics = context.find(metricsToken);
      context.onDispose(() => engines.release(key));
      const stopCollecting = metrics?.onCollect(() => metrics.family(wafInFlight).with().set(engines.inFlight));
      if (stopCollecting !== undefined) context.onDispose(stopCollecting);
      return new Waf(client, {
        stats: engines.acquire(key, metrics),
        failOpen: config.fail_open === true,
        log: context.log,
        idField: (config.tx_id_req_header ?? '').toLowerCase(),
        onFailure: logFailures(context.log, config.fail_open === true),
      });
    },
  });
}

/** Returns the engine's socket path for a rule set. The control thread starts the engine before workers request the path. */
async function socketOf(
  settings: EngineSettings,
  key: string,
  engines: EngineTable,
  context: Context,
): Promise<string> {
  const bus = context.find(threadBusToken);
  if (bus !== undefined) context.onDispose(engines.share(bus));
  const socketQuestion: Question<null, string> = question(`http.handlers.waf ${key}`);
  if (bus !== undefined && bus.thread !== 0) return bus.ask(socketQuestion, null);
  let engine: EngineProcess;
  try {
    engine = await context.acquire(processes, key, () => EngineProcess.start(settings, context.log));
  } catch (error) {
    throw context.error(messageOf(error));
  }
  addToTable(engines, key, engine, context);
  if (bus !== undefined) context.onDispose(bus.onAsk(socketQuestion, () => engine.socket));
  return engine.socket;
}

function addToTable({ processes: table }: EngineTable, key: string, engine: EngineProcess, context: Context): void {
  table.set(key, engine);
  const metrics = context.find(metricsToken);
  engine.onRestart = () => metrics?.family(wafRestarts).with().add();
  engine.onClose = () => void (table.get(key) === engine && table.delete(key));
}

function logFailures(log: Logger, failOpen: boolean): (error: EngineError) => void {
  let next = 0;
  return (error) => {
    const now = performance.now();
    if (now < next) return;
    next = now + logInterval;
    const consequence = failOpen ? 'letting requests pass without inspection' : 'rejecting requests';
    log.error(`web application firewall engine unavailable, ${consequence}`, { error: error.message });
  };
}

class Waf implements HttpHandler {
  readonly #client: EngineClient;
  readonly #settings: InspectionSettings;

  constructor(client: EngineClient, settings: InspectionSettings) {
    this.#client = client;
    this.#settings = settings;
  }

  watched({ rehearsal }: Watch): HttpHandler {
    if (rehearsal === null) return this;
    return {
      handle: (exchange, next) => {
        // Dry runs assume that no rule rejects the request, because only the engine can evaluate rules.
        rehearsal.depends(exchange, 'web application firewall rules');
        return next(exchange);
      },
    };
  }

  async handle(exchange: Exchange, next: Next): Promise<void> {
    const inspection = new Inspection(this.#client.begin(), this.#settings, exchange);
    const fields = exchange.response.headers.clone();
    let filter: InspectedResponse | null = null;
    try {
      await inspection.request();
      filter = new InspectedResponse(exchange, inspection);
      exchange.response = filter;
      await next(exchange);
      await filter.finish();
    } catch (error) {
      if (filter !== null) exchange.response = filter.inner;
      if (filter?.isBlocked === true) restoreFields(exchange, fields);
      filter?.discard();
      if (!(error instanceof RedirectVerdict)) throw error;
      exchange.response.headers.set('location', error.target);
      exchange.response.writeHead(error.status);
      exchange.response.end();
    } finally {
      if (filter !== null) exchange.response = filter.inner;
      inspection.end();
    }
  }
}

/** Restores the response fields that were set before the rejected response. */
function restoreFields({ response: { headers } }: Exchange, fields: Iterable<[string, string]>): void {
  headers.clear();
  for (const [name, value] of fields) headers.append(name, value);
}
