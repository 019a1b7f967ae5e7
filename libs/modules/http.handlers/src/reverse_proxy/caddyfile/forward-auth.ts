/**
 * `forward_auth [matcher] UPSTREAM… { uri TARGET; copy_headers FIELD[>NEW]…; … }`: asks a server whether a request may go
 * on; a response of 2xx lets it, any other is passed on.
 */
import { asJson, handlerDirective, moduleObject, type DirectiveReader, type RouteConfig } from '@sluice/caddyfile';
import { canonicalHeaderName, type Json } from '@sluice/base';
import { readProxyOption } from './options.ts';
import { ProxyDraft } from './proxy-draft.ts';

/** Makes the handler `reverse_proxy` as such a gate. */
export const forwardAuth = handlerDirective((reader) => {
  const draft = new ProxyDraft();
  const copied = new Map<string, string>();
  let uri = '';
  for (const address of reader.remaining()) draft.addUpstream(address, reader);
  for (const option of reader.block()) {
    if (option === 'uri') {
      const value = reader.onlyArgument();
      if (uri !== '') throw reader.error(`cannot re-declare uri: ${value}`);
      uri = value;
    } else if (option === 'copy_headers') {
      readCopied(reader, copied);
    } else if (!readProxyOption(option, draft, reader)) {
      throw reader.error(`unrecognized subdirective ${option}`);
    }
  }
  if (uri === '') throw reader.error("the 'uri' subdirective is required");
  draft.rewrite['method'] ??= 'GET';
  draft.rewrite['uri'] = uri;
  draft.up.apply('X-Forwarded-Method', '{http.request.method}', undefined, reader);
  draft.up.apply('X-Forwarded-Uri', '{http.request.uri}', undefined, reader);
  const json = draft.json(reader);
  const accepted = { match: { status_code: [2] }, routes: asJson(acceptedRoutes(copied)) };
  const handlers = [accepted, ...((json['handle_response'] ?? []) as readonly Json[])];
  return moduleObject('handler', 'reverse_proxy', { ...json, handle_response: handlers });
});

function readCopied(reader: DirectiveReader, copied: Map<string, string>): void {
  const add = (word: string): void => {
    const arrow = word.indexOf('>');
    const from = arrow < 0 ? word : word.slice(0, arrow);
    copied.set(from, arrow < 0 ? word : word.slice(arrow + 1));
  };
  const words = reader.remaining();
  const hasBlock = reader.opensBlock;
  const lines = [...reader.block()];
  if (words.length === 0 && lines.length === 0) throw reader.argumentError();
  if (hasBlock && lines.length === 0) {
    reader.back();
    throw reader.error('unrecognized subdirective copy_headers');
  }
  for (const word of [...words, ...lines]) add(word);
}

/** Routes of a response that lets a request go on: fields are copied where the response has them, and else taken away. */
function acceptedRoutes(copied: ReadonlyMap<string, string>): RouteConfig[] {
  const fields = [...copied].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    { handle: [moduleObject('handler', 'vars', {})] },
    ...fields.flatMap(([from, to]): RouteConfig[] => {
      const value = `{http.reverse_proxy.header.${canonicalHeaderName(from)}}`;
      const set = { request: { set: { [canonicalHeaderName(to)]: [value] } } };
      return [
        { handle: [moduleObject('handler', 'headers', { request: { delete: [canonicalHeaderName(to)] } })] },
        { match: [{ not: [{ vars: { [value]: [''] } }] }], handle: [moduleObject('handler', 'headers', set)] },
      ];
    }),
  ];
}
