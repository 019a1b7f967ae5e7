/** `sluice explain`: says what becomes of a request, to a server that runs or to a configuration file. */
import { readFileSync } from 'node:fs';
import { messageOf, type Json } from '@sluice/base';
import { loadExplain, type ExplainRequest, type Explanation } from '@sluice/http-app';
import { explainConfig } from '../../configuration/explain-config.ts';
import { readConfig } from '../../configuration/read-config.ts';
import { standardRegistry } from '../../configuration/standard-registry.ts';
import { CommandError } from '../../failure.ts';
import { standardError, TerminalSink } from '../../logging/terminal-sink.ts';
import { loadEnvFiles } from '../../process/env-file.ts';
import { adminAddress, callAdmin } from '../admin-client.ts';
import { explanationText } from '../explain/explanation-text.ts';

/** A command explains what it is asked, however large the configuration is. In milliseconds. */
const patience = 10_000;

/** Options of `explain`. */
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
  readonly argument?: string;
}

/** Prints the explanation. 0 where it is known what becomes of the request, else 1. */
export async function explain(options: ExplainOptions): Promise<number> {
  const { argument: url } = options;
  if (url === undefined)
    throw new CommandError('explain what? Give a URL, such as: sluice explain https://example.com/x');
  const request = requestOf(options, url);
  const explanation = await (options.config === undefined ? ask(options, request) : evaluate(options, request));
  const colour = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';
  process.stdout.write(
    options.json === true ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation, colour),
  );
  return explanation.outcome.kind === 'unknown' || explanation.truncated !== null ? 1 : 0;
}

function requestOf({ method, header, data, client, server, protocol, responses }: ExplainOptions, url: string): Json {
  const headers: Record<string, string[]> = {};
  for (const line of header ?? []) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new CommandError(`-H ${JSON.stringify(line)}: a field is written "Name: value"`);
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

/** What upstreams respond: JSON, or the name of a file with it. */
function responsesIn(text: string): Json {
  try {
    const json = text.trimStart().startsWith('[') ? text : readFileSync(text, 'utf8');
    return JSON.parse(json) as Json;
  } catch (error) {
    throw new CommandError(`--responses: ${messageOf(error)}`, error);
  }
}

/** Asks a server that runs. */
async function ask({ address }: ExplainOptions, request: Json): Promise<Explanation> {
  const text = await callAdmin({
    address: adminAddress(address, null),
    method: 'POST',
    path: '/explain',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(request),
  });
  return JSON.parse(text) as Explanation;
}

/** Explains with a configuration file, without a server. */
async function evaluate(options: ExplainOptions, request: Json): Promise<Explanation> {
  loadEnvFiles(options.envfile ?? []);
  const read = (await loadExplain()).readRequest;
  const wanted: ExplainRequest = read(request);
  const { config: file = '', adapter, module } = options;
  const configuration = await readConfig({ file, adapter }, () => standardRegistry(module));
  const registry = await standardRegistry(module);
  const explainer = await explainConfig(configuration, registry, new TerminalSink(standardError('warn')));
  try {
    return await explainer.explain(wanted, patience);
  } finally {
    await explainer.close();
  }
}
