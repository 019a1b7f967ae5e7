/** Reads and parses test case files. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject, isSluiceError, messageOf, parseWhere, type Json } from '@sluice/base';
import { checkValue } from '@sluice/registry';
import { CommandError } from '../failure.ts';
import { configFileIn } from '../configuration/default-config.ts';
import { caseFileSchema, type CaseFile, type ExpectedOptions, type RequestOptions } from './case-schema.ts';
import { unreadable } from './exit-codes.ts';
import { errorAt, placeText, readLocated, type LocatedText, type TextPlace } from './located-text.ts';
import { anyAddress, readStandIns, type StandIns } from './stand-in-options.ts';

export interface TestCase {
  readonly name: string;
  readonly place: TextPlace;
  readonly request: RequestOptions;
  /** Mock upstreams of the test case, merged with the file's mock upstreams. The test case takes precedence. */
  readonly standIns: StandIns;
  readonly expected: ExpectedOptions;
  readonly fresh: boolean;
  readonly skip: string | null;
}

/** Configuration under test: a file or an inline document. */
export type TestedConfig =
  | { readonly file: string; readonly adapter: string | undefined }
  | { readonly document: Json };

export interface TestFile {
  readonly file: string;
  /** Returns the configuration under test. Throws if the test case file specifies none. */
  readonly config: () => TestedConfig;
  readonly cases: readonly TestCase[];
}

/** Reads a test case file. Errors contain the file name, line and column. */
export function readCases(file: string): Promise<TestFile> {
  return parseCases(file, textOf(file));
}

/** Reads and validates a test case file without interpreting it. */
export function readCaseText(file: string): Promise<LocatedText> {
  return parseCaseText(file, textOf(file));
}

async function parseCaseText(file: string, text: string): Promise<LocatedText> {
  const located = await readLocated(file, text);
  try {
    checkValue(caseFileSchema, located.value, 'a file of test cases');
  } catch (error) {
    throw placed(error, located);
  }
  return located;
}

/** Parses the content of a test case file, like {@link readCases}. */
export async function parseCases(file: string, text: string): Promise<TestFile> {
  const located = await parseCaseText(file, text);
  const { value } = located;
  const { cases, upstreams } = value as CaseFile;
  const shared = readStandIns(upstreams, located, ['upstreams']);
  return {
    file,
    config: () => configOf(value as CaseFile, located, file),
    cases: cases.map((each, index) => {
      const path = ['cases', String(index)];
      const request =
        typeof each.request === 'string' ? fromLine(each.request, located.placeOf([...path, 'request'])) : each.request;
      return {
        name: each.name ?? `${methodOf(request)} ${request.url}`,
        place: located.placeOf(path),
        request,
        standIns: together(shared, readStandIns(each.upstreams, located, [...path, 'upstreams'])),
        expected: each.expect,
        fresh: each.fresh === true,
        skip: each.skip ?? null,
      };
    }),
  };
}

/** Merges the mock upstreams of a test case with those of the file. An entry `*` of the case replaces all entries of the file. */
function together(shared: StandIns, own: StandIns): StandIns {
  return own.has(anyAddress) ? own : new Map([...shared, ...own]);
}

/** Returns the method of a test request, or the default method if none is specified. */
export function methodOf({ method, body }: RequestOptions): string {
  return method ?? (body == null ? 'GET' : 'POST');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CommandError(`reading the test cases: ${messageOf(error)}`, error, unreadable);
  }
}

function placed(error: unknown, located: LocatedText): unknown {
  if (!isSluiceError(error)) return error;
  const { where } = error;
  const path = where === null ? null : parseWhere(where);
  const message = where === null ? error.message : error.message.replace(`${where}: `, '');
  return errorAt(located.placeOf(path ?? []), where === null || where === '' ? message : `${where}: ${message}`, error);
}

/** Parses a request line such as `POST https://example.com/x`, or a single URL. */
function fromLine(line: string, place: TextPlace): RequestOptions {
  const [, method, url] = /^(?:(\S+)\s+)?(\S+)$/.exec(line.trim()) ?? [];
  if (url === undefined) throw errorAt(place, `${JSON.stringify(line)} is not a URL, or a method and a URL`);
  return method === undefined ? { url } : { method, url };
}

function configOf({ config, adapter }: CaseFile, located: LocatedText, file: string): TestedConfig {
  if (isObject(config)) return { document: config };
  const folder = dirname(file);
  const named = typeof config === 'string' ? join(folder, config) : configFileIn(folder);
  if (named === null)
    throw errorAt(
      located.placeOf([]),
      `"config" is missing, and there is no Caddyfile or sluice.json in the same directory`,
    );
  return { file: named, adapter: adapter ?? undefined };
}

/** Formats the position of a test case for reports. */
export function caseText({ place }: TestCase): string {
  return placeText(place);
}
