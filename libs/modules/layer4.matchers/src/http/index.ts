/** `layer4.matchers.http`: matches HTTP requests with the matchers of the `http` app. */
import { isObject, type JsonArray } from '@sluice/base';
import {
  Exchange,
  httpMatchers,
  loadMatcherSet,
  matchSets,
  unconnectedResponse,
  type ConnectionInfo,
  type MatcherSet,
} from '@sluice/http-app';
import { HeadParser, incomplete, refused, type RequestHead } from '@sluice/http1';
import { layer4Matchers, maxMatchedBytes, type Layer4Connection, type Layer4Matcher } from '@sluice/layer4-app';
import { anything, defineModule, moduleKeyword } from '@sluice/registry';
import { beginsWith } from '../common/prefix.ts';
import { isFirstLine } from './first-line.ts';
import { preface, readHttp2Head } from './http2-head.ts';

export const httpModule = defineModule(layer4Matchers, {
  name: 'http',
  effect: 'pure',
  help: 'Matches HTTP connections by their first request. Supports HTTP/1, and HTTP/2 with prior knowledge. All matchers in a set must match.',
  config: anything({
    type: 'array',
    description: 'Sets of HTTP request matchers. Default: any request matches.',
    [moduleKeyword]: { namespace: httpMatchers.id, kind: 'sets' },
    items: { type: ['object', 'null'] },
  }),
  async provision(config, context): Promise<Layer4Matcher> {
    const sets: MatcherSet[] = [];
    for (const [index, set] of (config as JsonArray).entries())
      sets.push(await loadMatcherSet(isObject(set) ? set : null, context, index));
    const parser = new HeadParser(maxMatchedBytes);
    return {
      match(connection, bytes, end) {
        const head = readHead(parser, bytes, end);
        if (head === null || head === false) return head;
        connection.setValue('http.host', head.host);
        if (sets.length === 0) return true;
        const response = unconnectedResponse(head).writer;
        return matchSets(new Exchange(head, connectionOf(connection), response), sets);
      },
    };
  },
});

/** Parses the head of the first HTTP request. Returns `null` if it is incomplete, and false if the bytes are not HTTP. */
function readHead(parser: HeadParser, bytes: Buffer, end: number): RequestHead | null | false {
  const isHttp2 = beginsWith(bytes, end, preface);
  if (isHttp2 === true) return readHttp2Head(bytes, end);
  if (isHttp2 === null) return null;
  if (!isFirstLine(bytes, end)) return false;
  parser.next();
  const after = parser.feed(bytes, 0, end);
  if (after === incomplete) return null;
  if (after === refused) return false;
  const { method, rawPath, query, proto, host, headers, target } = parser;
  return { method, rawPath, query, proto, host, headers, target };
}

function connectionOf(connection: Layer4Connection): ConnectionInfo {
  const { remoteAddress, remotePort, localAddress, localPort, unix, tls } = connection.facts;
  return {
    remoteAddress,
    remotePort,
    localAddress,
    localPort,
    unix,
    tls,
    upgrade: () => null,
    destroy: () => connection.cut(),
  };
}
