/** An HTTP/2 client that uses a new connection for each request. */
import { connect } from 'node:http2';
import type { Socket } from 'node:net';
import type { SiteRequest } from '../step.ts';
import { codeOf } from './opened.ts';
import { responseLines } from './response-lines.ts';

/** Response timeout, in milliseconds. */
const defaultTimeout = 8000;

/** Sends a request and reads its response. */
export function askHttp2(socket: Socket, { method, target, name, fields, settings }: SiteRequest): Promise<string[]> {
  return new Promise((resolve) => {
    const scheme = 'encrypted' in socket ? 'https' : 'http';
    const session = connect(`${scheme}://${name}`, { createConnection: () => socket });
    let status = '';
    let received: [string, string][] = [];
    const interim: string[] = [];
    const chunks: Buffer[] = [];
    const end = (failure: string | null): void => {
      clearTimeout(timer);
      session.destroy();
      const lines =
        status === ''
          ? ['no response']
          : responseLines({ status, fields: received, body: Buffer.concat(chunks), complete: failure === null });
      resolve([...interim, ...lines, ...(failure === null ? [] : [`stream: ${failure}`])]);
    };
    const timer = setTimeout(() => end('no end'), defaultTimeout);
    session.on('error', (error) => end(codeOf(error)));
    const host = settings.host ?? name;
    const head: Record<string, string | string[]> = {
      ':method': method,
      ':path': target === '' ? '/' : target,
      ':authority': host,
      ':scheme': scheme,
    };
    for (const [field, value] of fields) {
      const key = field.toLowerCase();
      head[key] = head[key] === undefined ? value : [head[key], value].flat();
    }
    const stream = session.request(head, { endStream: settings.body === undefined });
    stream.on('headers', (_, flags) => interim.push(String(flags)));
    stream.on('response', (_, _flags, raw) => {
      const list: readonly string[] = raw ?? [];
      for (let at = 0; at < list.length; at += 2) {
        const [field = '', value = ''] = [list[at], list[at + 1]];
        if (field === ':status') status = value;
        else received = [...received, [field, value]];
      }
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', (error) => end(codeOf(error)));
    stream.on('close', () => end(null));
    if (settings.body !== undefined) stream.end(settings.body, 'latin1');
  });
}
