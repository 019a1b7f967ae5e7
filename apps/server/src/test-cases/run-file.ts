/** Runs the test cases of one file. */
import { formatWhere, messageOf, type LogSink } from '@sluice/base';
import type { Registry } from '@sluice/registry';
import { readConfig } from '../configuration/read-config.ts';
import { CommandError } from '../failure.ts';
import { unreadable } from './exit-codes.ts';
import { differencesOf, type Difference } from './expectations.ts';
import type { TestCase, TestedConfig, TestFile } from './read-cases.ts';
import { RouteNames } from './route-names.ts';
import type { Seen } from './test-probe.ts';
import { inlineDocument, TestedServer, type Played, type TestedDocument, type TestedParts } from './tested-server.ts';

export interface CaseResult {
  readonly testCase: TestCase;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly differences: readonly Difference[];
  /** One-line description of how the request was processed. Empty if the test case did not run. */
  readonly summary: string;
  readonly milliseconds: number;
}

export interface FileResult {
  readonly file: string;
  readonly results: readonly CaseResult[];
}

export interface RunParts {
  readonly registry: Registry;
  /** Creates a registry. All proxies of a registry share upstream state, so some test cases need a separate registry. */
  readonly newRegistry: () => Promise<Registry>;
  /** Returns the coverage counters of a configuration. `null` if coverage is disabled. */
  readonly coverageOf: ((config: TestedConfig, tested: TestedDocument) => Seen) | null;
  /** Reports whether a test case is selected to run. */
  readonly wanted: (testCase: TestCase) => boolean;
  /** Called before a configuration file is read. */
  readonly reads: (file: string) => void;
}

/** Dependencies for running test cases with one configuration. */
type CasesParts = Pick<RunParts, 'registry' | 'newRegistry'> & Pick<TestedParts, 'seen' | 'guard'>;

/** Maximum number of test cases to run concurrently. */
const atOnce = 16;

/** Log sink that drops all entries, because requests of test cases are not logged. */
const noLog: LogSink = { enabled: () => false, write: () => {} };

/** Runs the test cases of a file. Throws if the configuration cannot be loaded. */
export async function runFile(
  { file, config, cases }: TestFile,
  { registry, newRegistry, coverageOf, wanted, reads }: RunParts,
): Promise<FileResult> {
  const under = config();
  const tested = await documentOf(under, registry, reads);
  const seen = coverageOf?.(under, tested) ?? null;
  return { file, results: await runCases(cases.filter(wanted), tested, { registry, newRegistry, seen, guard: null }) };
}

/** Runs test cases with a configuration. Throws if the configuration cannot be loaded. */
export async function runCases(
  cases: readonly TestCase[],
  tested: TestedDocument,
  { registry, newRegistry, seen, guard }: CasesParts,
): Promise<readonly CaseResult[]> {
  const open = (known: Registry): Promise<TestedServer> => opened(tested, { registry: known, seen, guard });
  const names = new RouteNames(tested);
  const server = await open(registry);
  const results = new Array<CaseResult>(cases.length);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < cases.length; at = next++) {
      const testCase = cases[at] as TestCase;
      results[at] =
        testCase.skip === null
          ? await runCase(testCase, testCase.fresh ? await open(await newRegistry()) : server, names)
          : { testCase, outcome: 'skipped', differences: [], summary: '', milliseconds: 0 };
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await server.close();
  return results;
}

async function runCase(testCase: TestCase, server: TestedServer, names: RouteNames): Promise<CaseResult> {
  const startedAt = performance.now();
  try {
    const played = await server.play(testCase);
    const differences = differencesOf(testCase.expected, played, names);
    const outcome = differences.length === 0 ? 'passed' : 'failed';
    return {
      testCase,
      outcome,
      differences,
      summary: summaryOf(played, names),
      milliseconds: performance.now() - startedAt,
    };
  } catch (error) {
    const difference = { what: 'request', expected: 'a valid request', got: messageOf(error) };
    return {
      testCase,
      outcome: 'failed',
      differences: [difference],
      summary: '',
      milliseconds: performance.now() - startedAt,
    };
  } finally {
    if (testCase.fresh) await server.close();
  }
}

function summaryOf({ response, play }: Played, names: RouteNames): string {
  const { status, failure } = response;
  const ended = play.endedBy === null ? 'by no route' : `by ${names.text(play.endedBy)}`;
  const routes = play.reached.map(({ path }) => formatWhere(path)).join(', ');
  const sent = play.sent.map(({ method, uri, upstream }) => `; sent ${method} ${uri} to ${upstream}`).join('');
  return `${failure === null ? status : failure} ${ended}${sent}${routes === '' ? '' : `; routes reached: ${routes}`}`;
}

async function documentOf(
  config: TestedConfig,
  registry: Registry,
  reads: (file: string) => void,
): Promise<TestedDocument> {
  return 'document' in config
    ? inlineDocument(config.document)
    : readConfig({ ...config, reads }, () => Promise.resolve(registry)).catch(refuse);
}

function opened(tested: TestedDocument, parts: Omit<TestedParts, 'sink'>): Promise<TestedServer> {
  return TestedServer.open(tested, { ...parts, sink: noLog }).catch(refuse);
}

function refuse(error: unknown): never {
  throw new CommandError(messageOf(error), error, unreadable);
}
