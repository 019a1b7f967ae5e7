/**
 * Runs the response writers of the HTTP engines without a connection. Simulated requests run the same code as real requests, so their
 * responses have the same additions, omissions, and changes.
 */
import { Duplex } from 'node:stream';
import { fromLatin1, itemAt } from '@sluice/base';
import { HeaderMap } from '@sluice/http1';
import type { ResponseWriter } from '../exchange/response.ts';
import { Output } from './http1/output.ts';
import { Http1Response, mayHaveBody } from './http1/response.ts';
import { Http2Response, mayHaveContent } from './http2/response.ts';
import { Unsent } from './http2/unsent.ts';
import type { MultiplexedStream } from './multiplexed-stream.ts';

export interface RequestLine {
  readonly proto: string;
  readonly method: string;
}

/** Status and headers of a response as the client receives them. */
export interface SentHead {
  readonly status: number;
  readonly headers: HeaderMap;
}

export interface UnconnectedResponse {
  readonly writer: ResponseWriter;
  /** Returns the final status and headers. Returns `null` if they have not been sent yet. */
  head(): SentHead | null;
  /** Reports whether a response with the given status includes a body. */
  hasBody(status: number): boolean;
}

export function unconnectedResponse({ proto, method }: RequestLine): UnconnectedResponse {
  const isHead = method === 'HEAD';
  return proto === 'HTTP/2.0' || proto === 'HTTP/3.0'
    ? overStream(isHead)
    : overText(isHead, proto === 'HTTP/1.0' ? 0 : 1);
}

function overText(isHead: boolean, minor: number): UnconnectedResponse {
  let text = '';
  let head: SentHead | null = null;
  const socket = new Duplex({
    read: () => undefined,
    write: (piece: Buffer, _, done) => {
      if (head === null) {
        text += piece.toString('latin1');
        [head, text] = finalHead(text);
      }
      done();
    },
  });
  const output = new Output(socket);
  const drained = (): Promise<void> => {
    output.turned();
    return Promise.resolve();
  };
  const writer = new Http1Response(
    {
      output,
      gone: false,
      moment: () => performance.now(),
      mayPersist: () => true,
      responded: () => undefined,
      drained,
    },
    isHead,
    minor,
  );
  return { writer, head: () => head, hasBody: (status) => !isHead && mayHaveBody(status) };
}

/** Finds the final status and headers after any interim responses, and the text that follows them. */
function finalHead(text: string): [SentHead | null, string] {
  for (let rest = text; ;) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) return [null, rest];
    const [start = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(start.split(' ')[1]);
    rest = rest.slice(end + 4);
    if (status < 200 && status !== 101) continue;
    const headers = new HeaderMap();
    for (const line of lines) {
      const colon = line.indexOf(':');
      headers.append(line.slice(0, colon).toLowerCase(), fromLatin1(line.slice(colon + 1).trim()));
    }
    return [{ status, headers }, ''];
  }
}

function overStream(isHead: boolean): UnconnectedResponse {
  let head: SentHead | null = null;
  const stream: MultiplexedStream = {
    owner: null,
    codes: { noError: 0, internalError: 2, cancel: 8 },
    closed: false,
    remoteEnded: true,
    localEnded: false,
    contentLength: -1,
    heads: [],
    queued: 0,
    ending: false,
    interim: () => undefined,
    respond: (fields) => {
      const headers = new HeaderMap();
      for (let i = 2; i < fields.length; i += 2) headers.append(itemAt(fields, i), fromLatin1(itemAt(fields, i + 1)));
      head = { status: Number(fields[1]), headers };
    },
    write: () => undefined,
    end: () => undefined,
    credit: () => undefined,
    stop: () => undefined,
    reset: () => undefined,
  };
  const writer = new Http2Response(stream, {
    isHead,
    isWebSocket: false,
    unsent: new Unsent(() => undefined),
    watch: { awaitRoom: () => undefined, roomMade: () => undefined, responded: () => undefined },
  });
  return { writer, head: () => head, hasBody: (status) => !isHead && mayHaveContent(status) };
}
