/** Parses an API client's request to start a recording. */
import { isArray, isObject, SluiceError, type Json } from '@sluice/base';
import { integerOption, readOptions } from '../request-options.ts';
import type { RecordingRequest } from './request-traces.ts';

const maxTextLength = 200;
const maxTexts = 20;
const bounds = { defaults: { count: 100, seconds: 60 }, max: { count: 1000, seconds: 600 } };
const matchKeys = ['host', 'path', 'method', 'status', 'header'];
const keys = [...matchKeys, 'sample', ...Object.keys(bounds.defaults)];

/** Parses the body of `POST /traces`. An empty body selects all requests. */
export function readRecording(body: Buffer): RecordingRequest {
  const asked = readOptions(body, keys, wrong);
  const { sample = 1 } = asked;
  if (typeof sample !== 'number' || !(sample > 0 && sample <= 1))
    throw wrong('sample', 'must be greater than 0 and at most 1');
  const { header = {} } = asked;
  if (!isObject(header)) throw wrong('header', 'must be an object that maps header field names to values');
  const fields = Object.entries(header).map(
    ([name, value]) => [name.toLowerCase(), texts(value, `header.${name}`)] as const,
  );
  return {
    match: Object.fromEntries(matchKeys.flatMap((key) => (asked[key] === undefined ? [] : [[key, asked[key]]]))),
    order: {
      match: {
        host: texts(asked['host'], 'host'),
        path: texts(asked['path'], 'path'),
        method: texts(asked['method'], 'method'),
        status: texts(withNumbersAsText(asked['status']), 'status').map(status),
        header: Object.fromEntries(fields),
      },
      sample,
      count: integerOption(asked, 'count', bounds, wrong),
    },
    seconds: integerOption(asked, 'seconds', bounds, wrong),
  };
}

function texts(value: Json | undefined, key: string): string[] {
  if (value === undefined || value === null) return [];
  const list = isArray(value) ? value : [value];
  if (list.length > maxTexts) throw wrong(key, `must have at most ${maxTexts} values`);
  return list.map((each) => {
    if (typeof each === 'string' && each.length <= maxTextLength) return each;
    throw wrong(key, `must be a string of at most ${maxTextLength} characters, or a list of such strings`);
  });
}

/** Converts numbers to strings, because a status can be given as a number or a string. */
function withNumbersAsText(value: Json | undefined): Json | undefined {
  if (isArray(value)) return value.map((each) => (typeof each === 'number' ? String(each) : each));
  return typeof value === 'number' ? String(value) : value;
}

function status(text: string): string {
  if (/^[1-9](?:\d\d|xx)$/i.test(text) || text === '0') return text;
  throw wrong('status', `must be a status code such as 404, or a class such as 5xx, not ${JSON.stringify(text)}`);
}

function wrong(key: string, message: string): SluiceError {
  return new SluiceError('ERR_TRACES', `${key}: ${message}`, { status: 400 });
}
