/** A reverse proxy as `reverse_proxy`. */
import { isArray, isObject, type Json, type JsonObject } from '@sluice/base';
import {
  durationWord,
  listAt,
  moduleLines,
  noWords,
  optionLines,
  responseMatcherLine,
  words,
  written,
  type Line,
  type WriteDirective,
  type Writer,
  type WrittenOption,
} from '@sluice/caddyfile';
import { operationLines } from '../headers/inverse.ts';

const ownOptions: readonly WrittenOption[] = [
  ['flush_interval', 'flush_interval', durationWord],
  ['request_buffers', 'request_buffers', sizeWord],
  ['response_buffers', 'response_buffers', sizeWord],
  ['stream_timeout', 'stream_timeout', durationWord],
  ['stream_close_delay', 'stream_close_delay', durationWord],
  ['stream_buffer_size', 'stream_buffer_size'],
  ['trusted_proxies', 'trusted_proxies'],
  ['verbose_logs', 'verbose_logs', noWords],
];

const balancingOptions: readonly WrittenOption[] = [
  ['lb_retries', 'retries'],
  ['lb_try_duration', 'try_duration', durationWord],
  ['lb_try_interval', 'try_interval', durationWord],
];

const activeOptions: readonly WrittenOption[] = [
  ['health_uri', 'uri'],
  ['health_path', 'path'],
  ['health_upstream', 'upstream'],
  ['health_port', 'port'],
  ['health_interval', 'interval', durationWord],
  ['health_timeout', 'timeout', durationWord],
  ['health_passes', 'passes'],
  ['health_fails', 'fails'],
  ['health_status', 'expect_status'],
  ['health_body', 'expect_body'],
  ['health_method', 'method'],
  ['health_request_body', 'body'],
  ['health_follow_redirects', 'follow_redirects', noWords],
];

const passiveOptions: readonly WrittenOption[] = [
  ['max_fails', 'max_fails'],
  ['fail_duration', 'fail_duration', durationWord],
  ['unhealthy_request_count', 'unhealthy_request_count'],
  ['unhealthy_status', 'unhealthy_status'],
  ['unhealthy_latency', 'unhealthy_latency', durationWord],
];

function sizeWord(value: Json): readonly string[] {
  return value === -1 ? ['unlimited'] : words(value);
}

/** `reverse_proxy UPSTREAM… { … }` */
export const reverseProxy: WriteDirective = async (handler, writer) => {
  const { words: upstreams, block } = await proxyLines(handler, writer);
  return written(upstreams, block);
};

/** What follows the name of a directive that makes a reverse proxy. */
export async function proxyLines(handler: JsonObject, writer: Writer): Promise<{ words: string[]; block: Line[] }> {
  const balancing = objectOf(handler['load_balancing']);
  const checks = objectOf(handler['health_checks']);
  const active = objectOf(checks['active']);
  const headers = objectOf(handler['headers']);
  const block: Line[] = [
    ...(await moduleLines(dynamic, handler['dynamic_upstreams'], writer)),
    ...(await moduleLines(policy, balancing['selection_policy'], writer)),
    ...optionLines(balancing, balancingOptions),
    ...(await retryLines(balancing['retry_match'], writer)),
    ...optionLines(active, activeOptions),
    ...healthHeaders(active['headers']),
    ...optionLines(objectOf(checks['passive']), passiveOptions),
    ...optionLines(handler, ownOptions),
    ...marked('header_up', operationLines(objectOf(headers['request']))),
    ...marked('header_down', operationLines(objectOf(headers['response']))),
    ...optionLines(objectOf(handler['rewrite']), [
      ['method', 'method'],
      ['rewrite', 'uri'],
    ]),
  ];
  const { scheme, lines } = await transportLines(handler, writer);
  block.push(...lines, ...(await responseLines(handler['handle_response'], writer)));
  const upstreams = listAt(handler, ['upstreams']).map((each) => {
    // The usual network is only kept where it is not written as usual.
    return (
      scheme +
      words(objectOf(each)['dial'])
        .join('')
        .replace(/^tcp\//, 'TCP/')
    );
  });
  return { words: upstreams, block };
}

function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

function marked(option: string, lines: readonly Line[]): Line[] {
  return lines.map((line) => ({ ...line, words: [option, ...line.words] }));
}

const dynamic = { option: 'dynamic', namespace: 'http.reverse_proxy.upstreams', key: 'source' };
const policy = { option: 'lb_policy', namespace: 'http.reverse_proxy.selection_policies', key: 'policy' };
const transport = { option: 'transport', namespace: 'http.reverse_proxy.transport', key: 'protocol' };

/** What a URL can say: no placeholder, no path of a socket. */
const plainAddress = /^(?:[\w.-]+|\[[\da-f:]+\]):\d+$/;

/** The scheme of upstreams says the usual transports. */
async function transportLines(handler: JsonObject, writer: Writer): Promise<{ scheme: string; lines: Line[] }> {
  const value = handler['transport'];
  if (value === undefined) return { scheme: '', lines: [] };
  const { protocol, ...options } = objectOf(value);
  const { tls, versions, ...others } = options;
  const dials = listAt(handler, ['upstreams']).flatMap((each) => words(objectOf(each)['dial']));
  const isPlain = dials.length > 0 && dials.every((dial) => plainAddress.test(dial));
  const hasPort = (port: string): boolean => dials.some((dial) => dial.endsWith(`:${port}`));
  if (protocol === 'http' && isPlain && !hasPort('80') && isObject(tls) && Object.keys(tls).length === 0) {
    const rest = versions === undefined ? others : { ...others, versions };
    const named = Object.keys(rest).length > 0;
    return { scheme: 'https://', lines: named ? await moduleLines(transport, { protocol, ...rest }, writer) : [] };
  }
  if (
    protocol === 'http' &&
    isPlain &&
    !hasPort('443') &&
    Object.keys(options).length === 1 &&
    words(versions).join() === 'h2c,2'
  ) {
    return { scheme: 'h2c://', lines: [] };
  }
  return { scheme: '', lines: await moduleLines(transport, value, writer) };
}

async function retryLines(value: Json | undefined, writer: Writer): Promise<Line[]> {
  const lines: Line[] = [];
  for (const set of isArray(value) ? value : []) {
    lines.push({ words: ['lb_retry_match'], block: (await writer.matchers(objectOf(set))) ?? [] });
  }
  return lines;
}

function healthHeaders(value: Json | undefined): Line[] {
  if (!isObject(value)) return [];
  const block = Object.entries(value).map(([field, values]): Line => ({ words: [field, ...words(values)] }));
  return [{ words: ['health_headers'], block }];
}

/** `handle_response` and `replace_status`, with the matchers that they need. */
export async function responseLines(value: Json | undefined, writer: Writer): Promise<Line[]> {
  const lines: Line[] = [];
  for (const [at, each] of (isArray(value) ? value : []).entries()) {
    const { match, status_code: status, routes } = objectOf(each);
    const name = match === undefined ? [] : [`@response${at === 0 ? '' : at + 1}`];
    if (match !== undefined) lines.push(responseMatcherLine(name.join(''), match));
    if (status === undefined)
      lines.push({ words: ['handle_response', ...name], block: await writer.routes(routes, true) });
    else lines.push({ words: ['replace_status', ...name, ...words(status)] });
  }
  return lines;
}
