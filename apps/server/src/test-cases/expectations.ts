/** Compares the actual result with the expectations of a test case. */
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { compileRegExp, jsonEqual, type Json } from '@sluice/base';
import type { ContentOptions, ExpectedOptions, FieldOptions, SentOptions } from './case-schema.ts';
import type { ClientResponse } from './client.ts';
import type { RouteNames } from './route-names.ts';
import type { Play, SentRequest } from './play.ts';
import { addressKey } from './stand-in-options.ts';
import type { Played } from './tested-server.ts';

/** A failed expectation. */
export interface Difference {
  /** The compared part of the result, such as `status`, `header content-type` or `body`. */
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

type Fields = readonly (readonly [name: string, value: string])[];

/** Returns all differences between expectations and result. Empty if the test case passes. */
export function differencesOf(
  expected: ExpectedOptions,
  { response, play }: Played,
  names: RouteNames,
): readonly Difference[] {
  if (play.rejected !== null)
    return [{ what: 'request', expected: 'handlers and matchers that may run', got: play.rejected }];
  return [
    ...completeness(expected, response),
    ...status(expected, response.status),
    ...headers('header', expected.headers, response.headers),
    ...content('body', expected.body, decoded(response)),
    ...route(expected, response, play, names),
    ...missing(play),
    ...upstream(expected, play),
    ...sent(expected, play),
  ];
}

function completeness({ aborted }: ExpectedOptions, { failure, cut }: ClientResponse): readonly Difference[] {
  if (aborted === true ? cut : failure === null) return [];
  return [
    {
      what: 'response',
      expected: aborted === true ? 'that the connection is closed' : 'a complete response',
      got: failure ?? 'a complete response',
    },
  ];
}

function status({ status: wanted }: ExpectedOptions, got: number): readonly Difference[] {
  if (wanted == null) return [];
  const fits = typeof wanted === 'string' ? Math.trunc(got / 100) === Number(wanted[0]) : got === wanted;
  return fits ? [] : [{ what: 'status', expected: String(wanted), got: got === 0 ? 'none' : String(got) }];
}

function headers(what: string, wanted: ExpectedOptions['headers'], got: Fields): readonly Difference[] {
  return Object.entries(wanted ?? {}).flatMap(([name, condition]) => {
    const lower = name.toLowerCase();
    const lines = got.filter(([each]) => each === lower).map(([, value]) => value);
    return field(`${what} ${lower}`, condition, lines);
  });
}

function field(what: string, wanted: FieldOptions, lines: readonly string[]): readonly Difference[] {
  const got = lines.length === 0 ? 'absent' : lines.map(quoted).join(', ');
  const differs = (expected: string): readonly Difference[] => [{ what, expected, got }];
  if (wanted === null) return lines.length === 0 ? [] : differs('absent');
  if (Array.isArray(wanted)) return jsonEqual([...wanted], [...lines]) ? [] : differs(wanted.map(quoted).join(', '));
  if (typeof wanted === 'string') return lines.join(', ') === wanted ? [] : differs(quoted(wanted));
  const { present, ...textual } = wanted;
  if (present === false) return lines.length === 0 ? [] : differs('absent');
  if (lines.length === 0) return differs(present === true ? 'present' : conditionText(textual));
  return lines.some((line) => failing(textual, line) === null) ? [] : differs(conditionText(textual));
}

interface Textual {
  readonly equals?: string | null | undefined;
  readonly contains?: string | null | undefined;
  readonly matches?: string | null | undefined;
}

/** Returns a description of the first condition that a string does not satisfy, or `null`. */
function failing({ equals, contains, matches }: Textual, text: string): string | null {
  if (equals != null && text !== equals) return quoted(equals);
  if (contains != null && !text.includes(contains)) return `text with ${quoted(contains)}`;
  if (matches != null && !compileRegExp(matches).test(text)) return `text that matches ${matches}`;
  return null;
}

function conditionText({ equals, contains, matches }: Textual): string {
  const parts = [
    equals == null ? '' : quoted(equals),
    contains == null ? '' : `text with ${quoted(contains)}`,
    matches == null ? '' : `text that matches ${matches}`,
  ];
  return parts.filter((part) => part !== '').join(' and ') || 'present';
}

function content(what: string, wanted: ContentOptions | null | undefined, got: Buffer | string): readonly Difference[] {
  if (wanted == null) return [];
  const text = got.toString();
  if (typeof wanted === 'string') return text === wanted ? [] : [differentTexts(what, wanted, text)];
  const problem = failing(wanted, text);
  if (wanted.equals != null && text !== wanted.equals) return [differentTexts(what, wanted.equals, text)];
  if (problem !== null) return [{ what, expected: problem, got: /\n/.test(text) ? text : quoted(text) }];
  return wanted.json === undefined ? [] : jsonContent(what, wanted.json, text);
}

/** Returns the difference between two strings. Strings with several lines are not quoted. */
function differentTexts(what: string, expected: string, got: string): Difference {
  return /\n/.test(expected + got) ? { what, expected, got } : { what, expected: quoted(expected), got: quoted(got) };
}

function jsonContent(what: string, wanted: Json, text: string): readonly Difference[] {
  const expected = JSON.stringify(wanted, null, 2);
  try {
    const got = JSON.parse(text) as Json;
    return jsonEqual(wanted, got) ? [] : [{ what, expected, got: JSON.stringify(got, null, 2) }];
  } catch {
    return [{ what, expected, got: `${text}\n(not valid JSON)` }];
  }
}

function decoded({ headers: fields, body }: ClientResponse): Buffer {
  const coding = fields.find(([name]) => name === 'content-encoding')?.[1];
  try {
    if (coding === 'gzip') return gunzipSync(body);
    if (coding === 'br') return brotliDecompressSync(body);
    return coding === 'zstd' ? zstdDecompressSync(body) : body;
  } catch {
    return body;
  }
}

/** Checks the matched route. By default, the request must match any route. */
function route(
  expected: ExpectedOptions,
  response: ClientResponse,
  play: Play,
  names: RouteNames,
): readonly Difference[] {
  const by = play.endedBy;
  const got = by === null ? 'no route' : names.text(by);
  if (expected.route === undefined) {
    const isSilent = by === null && play.arrived && response.status === 200 && response.body.length === 0;
    return isSilent
      ? [
          {
            what: 'route',
            expected: 'a route (write "route": null if none is expected)',
            got: 'no route (empty response with status 200)',
          },
        ]
      : [];
  }
  if (expected.route === null) return by === null ? [] : [{ what: 'route', expected: 'no route', got }];
  const { route: wanted } = expected;
  return by !== null && names.isMeant(wanted, by) ? [] : [{ what: 'route', expected: wanted, got }];
}

function missing({ missing: addresses }: Play): readonly Difference[] {
  return [...new Set(addresses)].map((address) => ({
    what: 'upstream',
    expected: 'a simulated upstream for each upstream that is used',
    got: `none for ${address}; declare it under "upstreams"`,
  }));
}

function upstream({ upstream: wanted }: ExpectedOptions, { sent: all }: Play): readonly Difference[] {
  if (wanted === undefined) return [];
  const last = all.at(-1);
  const got = last?.upstream ?? 'none';
  if (wanted === null) return last === undefined ? [] : [{ what: 'upstream', expected: 'none', got }];
  return last?.key === addressKey(wanted) ? [] : [{ what: 'upstream', expected: wanted, got }];
}

function sent({ sent: wanted }: ExpectedOptions, { sent: all }: Play): readonly Difference[] {
  if (wanted == null) return [];
  if (!Array.isArray(wanted)) {
    const last = all.at(-1);
    return last === undefined
      ? [{ what: 'sent', expected: 'a request to an upstream', got: 'none' }]
      : arrived('sent', wanted, last);
  }
  if (wanted.length !== all.length)
    return [
      {
        what: 'sent',
        expected: `${wanted.length} requests to upstreams`,
        got: `${all.length}: ${all.map(({ method, uri, upstream: to }) => `${method} ${uri} to ${to}`).join(', ')}`,
      },
    ];
  return wanted.flatMap((each, index) => arrived(`sent[${index}]`, each, all[index] as SentRequest));
}

function arrived(what: string, wanted: SentOptions, got: SentRequest): readonly Difference[] {
  const plain = (key: 'method' | 'uri' | 'host'): readonly Difference[] => {
    const expected = wanted[key];
    return expected == null || expected === got[key] ? [] : [{ what: `${what} ${key}`, expected, got: got[key] }];
  };
  const { upstream: to } = wanted;
  return [
    ...(to == null || addressKey(to) === got.key
      ? []
      : [{ what: `${what} upstream`, expected: to, got: got.upstream }]),
    ...plain('method'),
    ...plain('uri'),
    ...plain('host'),
    ...headers(`${what} header`, wanted.headers, got.headers),
    ...content(`${what} body`, wanted.body, got.body ?? ''),
  ];
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
