/** `sluice explain`: explains how a running server or a configuration file handles a request. */
import { readFileSync } from 'node:fs';
import { messageOf, type Json } from '@sluice/base';
import { loadExplain, type ExplainRequest, type Explanation } from '@sluice/http-analysis';
import { explainConfig } from '../../configuration/explain-config.ts';
import { readConfig } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError } from '../../failure.ts';
import { standardError, TerminalSink } from '../../logging/terminal-sink.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { adminAddress, callAdmin } from '../admin-client.ts';
import { explanationText } from '../explain/explanation-text.ts';

/** Timeout of an explanation, in milliseconds. Explaining a request can take a long time if the configuration is large. */
const timeout = 10_000;

export interface ExplainOptions {
  readonly config?: string;
  readonly adapter?: string;
  readonly address?: string;
  readonly envfile?: readonly string[];
  readonly module?: readonly string[];
  readonly method?: string;
  readonly header?: readonly string[];
  readonly data?: string;
  readonly client?: string;
  readonly server?: string;
  readonly protocol?: string;
  readonly responses?: string;
  readonly json?: boolean;
  readonly asTest?: boolean;
  readonly last?: number;
  readonly argument?: string;
}

/** Prints the explanation. Returns exit code 0 if the outcome is determined, otherwise 1. */
export async function explain(options: ExplainOptions): Promise<number> {
  const { argument: url, asTest = false, last } = options;
  if (last !== undefined && (!asTest || url !== undefined || options.config !== undefined))
    throw new CommandError(
      '--last generates tests from recorded requests: use it with --as-test, and without a URL or --config',
    );
  if (last !== undefined) return printCases(await recordedCases(options, last), undefined);
  if (url === undefined)
    throw new CommandError('explain requires a URL, such as: sluice explain https://example.com/x');
  const request = requestOf(options, url);
  if (asTest) return printCases(await casesOf(options, request), options.config);
  const explanation = await (options.config === undefined
    ? ask<Explanation>(options, '/explain', request)
    : withConfig(options, request, (wanted, explain) => explain(wanted)));
  const color = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';
  process.stdout.write(
    options.json === true ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation, color),
  );
  const { outcome, unknown, truncated } = explanation;
  return outcome.kind === 'unknown' || unknown.length > 0 || truncated !== null ? 1 : 0;
}

function requestOf({ method, header, data, client, server, protocol, responses }: ExplainOptions, url: string): Json {
  const headers: Record<string, string[]> = {};
  for (const line of header ?? []) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new CommandError(`-H ${JSON.stringify(line)}: expected "Name: value"`);
    (headers[line.slice(0, colon).trim()] ??= []).push(line.slice(colon + 1).trim());
  }
  return {
    url: /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? url : `http://${url}`,
    method: method ?? (data === undefined ? 'GET' : 'POST'),
    headers,
    ...(data === undefined ? {} : { body: data }),
    ...(client === undefined ? {} : { client }),
    ...(server === undefined ? {} : { server }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(responses === undefined ? {} : { responses: responsesIn(responses) }),
  };
}

/** Parses the assumed upstream responses, given as JSON or as the name of a JSON file. */
function responsesIn(text: string): Json {
  try {
    const json = text.trimStart().startsWith('[') ? text : readFileSync(text, 'utf8');
    return JSON.parse(json) as Json;
  } catch (error) {
    throw new CommandError(`--responses: ${messageOf(error)}`, error);
  }
}

/** Test cases for `sluice test`, and the requests that can't be converted to a test case. */
interface MadeCases {
  readonly cases: readonly Json[];
  readonly left_out: readonly { readonly url: string; readonly why: string }[];
}

/** Prints a file of test cases. Returns exit code 0 if each request has a test case. */
function printCases({ cases, left_out: leftOut }: MadeCases, config: string | undefined): number {
  for (const { url, why } of leftOut) process.stderr.write(`no test case for ${url}: ${why}\n`);
  if (cases.length === 0) throw new CommandError('no test case can be generated from the recorded requests');
  process.stdout.write(`${JSON.stringify({ ...(config === undefined ? {} : { config }), cases }, null, 2)}\n`);
  return leftOut.length === 0 ? 0 : 1;
}

function recordedCases(options: ExplainOptions, last: number): Promise<MadeCases> {
  return ask<MadeCases>(options, `/explain/test?last=${last}`);
}

async function casesOf(options: ExplainOptions, request: Json): Promise<MadeCases> {
  if (options.config === undefined) return ask<MadeCases>(options, '/explain/test', request);
  const { testCaseOf } = await loadExplain();
  return withConfig(options, request, async (wanted, explain) => ({
    cases: [await testCaseOf(wanted, explain)],
    left_out: [],
  }));
}

/** Sends the request to be explained to a running server. */
async function ask<T>({ address }: ExplainOptions, path: string, request?: Json): Promise<T> {
  const text = await callAdmin({
    address: adminAddress(address, null),
    method: 'POST',
    path,
    ...(request === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(request) }),
  });
  return JSON.parse(text) as T;
}

async function withConfig<T>(
  options: ExplainOptions,
  request: Json,
  use: (wanted: ExplainRequest, explain: (request: ExplainRequest) => Promise<Explanation>) => Promise<T>,
): Promise<T> {
  loadEnvFiles(options.envfile ?? []);
  const read = (await loadExplain()).readRequest;
  const wanted: ExplainRequest = read(request);
  const { config: file = '', adapter, module } = options;
  const configuration = await readConfig({ file, adapter }, () => standardRegistry(module));
  const registry = await standardRegistry(module);
  const explainer = await explainConfig(configuration, registry, new TerminalSink(standardError('warn')));
  try {
    return await use(wanted, (each) => explainer.explain(each, timeout));
  } finally {
    await explainer.close();
  }
}
