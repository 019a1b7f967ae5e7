/** Implements `POST /explain` of the admin API, which explains how the server handles a request. */
import { confine, isArray, isObject, messageOf, SluiceError, type Json } from '@sluice/base';
import type { AdminRequest, AdminResponse, AdminRoutes, RunningServer } from '@sluice/registry';
import { httpApp } from '@sluice/http-app';
import type { Explainable, Explainer } from './explainer.ts';
import { explainerOf } from './load.ts';
import { isRecorded, lastRecorded, questionOf, type RecordedRequest } from './recorded.ts';
import { requestError } from './request-error.ts';
import { Turns } from './turns.ts';
import type { ExplainRequest, Explanation } from './types.ts';

/** Maximum body size, in bytes. */
const maxQuestionSize = 64 * 1024;

/** Adds the explanation routes. The first request loads the implementation. */
export function addExplainRoutes({ router, raw, describe, server }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  router.post('/explain', raw, (request, response) =>
    confinedAs(request, async () => {
      const { explainer: running, readRequest } = await explainerOf(server);
      const last = lastInsteadOfBody(request);
      if (last !== undefined) {
        const recorded = stillServed(server, lastOf(server, last)).map(questionOf);
        response.json({ requests: await explainLast(recorded, new Turns(response), running, inForce(server)) });
        return;
      }
      const question = parseQuestion(request.body ?? Buffer.alloc(0));
      response.json(await running.explain(readRequest(question), inForce(server)));
    }),
  );
  router.post('/explain/test', raw, (request, response) => confinedAs(request, () => test(server, request, response)));
  router.post('/explain/plan', raw, (request, response) => confinedAs(request, () => plan(server, request, response)));
}

/** Runs a task on behalf of a client. If the client has restricted rights, the contents of files and environment variables are unknown. */
function confinedAs(request: AdminRequest, task: () => Promise<void>): Promise<void> {
  return request.confined ? confine(task) : task();
}

async function test(server: RunningServer, request: AdminRequest, response: AdminResponse): Promise<void> {
  const { explainer: running, readRequest, recordedCases, testCaseOf } = await explainerOf(server);
  const turns = new Turns(response);
  const explain = async (asked: ExplainRequest): Promise<Explanation> => {
    await turns.next();
    return running.explain(asked, inForce(server));
  };
  const last = lastInsteadOfBody(request);
  const question = last === undefined ? parseQuestion(request.body ?? Buffer.alloc(0)) : {};
  const trace = isObject(question) ? question['trace'] : undefined;
  if (last === undefined && trace === undefined) {
    response.json({ cases: [await testCaseOf(readRequest(question), explain)], left_out: [] });
    return;
  }
  const recorded = last === undefined ? recordedIn(trace) : lastOf(server, last);
  response.json(await recordedCases(recorded, explain));
}

async function plan(server: RunningServer, request: AdminRequest, response: AdminResponse): Promise<void> {
  const question = parseJson(request.body ?? Buffer.alloc(0));
  const { config, requests = [], last } = isObject(question) ? question : {};
  if (config === undefined) throw requestError('config', 'is missing: provide the configuration to compare with');
  if (!isArray(requests) || requests.length > maxRequests)
    throw requestError('requests', `expected an array of at most ${maxRequests} requests`);
  const { explainer: running, planRequests, readRequest } = await explainerOf(server);
  const recorded = last === undefined ? [] : stillServed(server, lastOf(server, String(last))).map(questionOf);
  const read = [...requests.map((each) => readRequest(each)), ...recorded];
  const turns = new Turns(response);
  let made: object = { compared: 0, unknown: 0, elsewhere: [] };
  await server.tryOut(
    () => {
      turns.check();
      return config;
    },
    async (apps) => {
      const app = apps.app(httpApp);
      if (app === null) throw requestError('config', 'has no http app');
      const after = { app, document: config, registry: server.registry, sources: null, isProposed: true };
      made = await planRequests(
        running,
        read,
        { before: inForce(server), after },
        { milliseconds: maxPlanLength, turns },
      );
    },
  );
  response.json(made);
}

/** Returns the `?last=` parameter. Throws if the request also has a body. */
function lastInsteadOfBody({ query: { last }, body }: AdminRequest): string | string[] | undefined {
  if (last !== undefined && body !== undefined && body.length > 0)
    throw requestError('last', '`last` explains recorded requests: omit either the body or `last`');
  return last;
}

/** Maximum duration of a comparison, in milliseconds. Configuration changes wait until the comparison ends. */
const maxPlanLength = 10_000;

/** Maximum number of requests to compare. */
const maxRequests = 200;

/** Returns the most recently recorded requests, up to the given number. */
function lastOf(server: RunningServer, count: string | string[]): RecordedRequest[] {
  if (typeof count !== 'string' || !/^\d{1,3}$/.test(count) || Number(count) > maxRequests)
    throw requestError('last', `expected a number up to ${maxRequests}`);
  return lastRecorded(server, Number(count));
}

/** Returns the recorded requests whose servers still exist in the active configuration. */
function stillServed(server: RunningServer, recorded: readonly RecordedRequest[]): RecordedRequest[] {
  const servers = server.app(httpApp)?.servers;
  return recorded.filter(({ server: name }) => name === null || servers?.has(name) === true);
}

/** Extracts the recorded request from a trace that `GET /traces` returned. */
function recordedIn(trace: unknown): RecordedRequest[] {
  if (!isRecorded(trace)) throw requestError('trace', 'expected a trace as returned by GET /traces');
  return [trace];
}

/** Explains each of the recorded requests. Omits the steps. */
async function explainLast(
  requests: readonly ExplainRequest[],
  turns: Turns,
  explainer: Explainer,
  running: Explainable,
): Promise<Pick<Explanation, 'request' | 'outcome' | 'unknown'>[]> {
  const explained: Pick<Explanation, 'request' | 'outcome' | 'unknown'>[] = [];
  for (const each of requests) {
    await turns.next();
    const { request, outcome, unknown } = await explainer.explain(each, running);
    explained.push({ request, outcome, unknown });
  }
  return explained;
}

/** Returns the active configuration. Reads the app and the document at the same moment, so they are consistent. */
function inForce(server: RunningServer): Explainable {
  const app = server.app(httpApp);
  if (app === null)
    throw new SluiceError('ERR_EXPLAIN_REQUEST', 'the current configuration has no http app', { status: 409 });
  return { app, document: server.effective, registry: server.registry, sources: server.sources };
}

function parseQuestion(body: Buffer): Json {
  if (body.length > maxQuestionSize)
    throw new SluiceError('ERR_EXPLAIN_REQUEST', `the request body exceeds ${maxQuestionSize} bytes`, {
      status: 413,
    });
  return parseJson(body);
}

function parseJson(body: Buffer): Json {
  try {
    return JSON.parse(body.toString()) as Json;
  } catch (error) {
    throw requestError('body', `is not JSON: ${messageOf(error)}`);
  }
}
