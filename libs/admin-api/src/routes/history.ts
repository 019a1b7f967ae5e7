/** Routes below `/history`: list recent configurations, roll back to a previous configuration, and confirm a pending change. */
import type { ServerResponse } from 'node:http';
import { pathError, type Json } from '@sluice/base';
import { shareSubtrees, type Reconciler, type HistoryEntry } from '@sluice/reconciler';
import type { AdminRequest, AdminRouter } from '@sluice/registry';
import { authorityOf, changeOptionsOf, methodOf, targetOf, withDigest } from '../call.ts';
import { forbidden, requestError } from '../errors.ts';
import { sendDocument, sendEmpty, sendJson, sendUnchanged } from '../http/send.ts';
import { respondToChange, applyEdit, formatTime, refusal, unsavedWarning } from './changes.ts';
import type { ApiOptions } from '../api-options.ts';
import { readerOf } from './rehearsal-body.ts';

type RevisionRequest = AdminRequest<{ readonly revision: string }>;

/**
 * Adds the history routes. `GET /history` lists applied changes, newest first, in pages (`from`, `before`, `limit`). `patch=false` omits
 * the patches. `GET /history/<revision>` returns one change. Other routes perform actions on a revision.
 */
export function addHistoryRoutes(router: AdminRouter, api: ApiOptions): void {
  const { reconciler } = api;
  router.get('/history', (request, response) => {
    const withPatch = wantsPatch(request);
    const { entries, next } = pageOf(reconciler.history.entries, request);
    if (next !== null) response.setHeader('Link', `<${next}${withPatch ? '' : '&patch=false'}>; rel="next"`);
    const tag = tagOf(entries, reconciler);
    if (sendUnchanged(response, tag)) return;
    return sendDocument(
      response,
      entries.map((entry) => {
        const { patch, ...head } = shown(entry, reconciler);
        return withPatch ? { ...head, patch } : head;
      }) as Json,
      { Etag: tag },
    );
  });
  router.get('/history/:revision', async (request, response) => {
    const revision = revisionOf(request);
    const document = reconciler.documentAt(revision);
    await sendDocument(response, { ...shown(reconciler.history.find(revision), reconciler), document });
  });
  router.post('/history/:revision/apply', (request, response) => apply(request, response, api));
  router.post('/history/:revision/confirm', async (request, response) => {
    const revision = revisionOf(request);
    checkConfirmation(request, revision, api);
    const { unsaved } = await reconciler.confirm(revision);
    if (unsaved === null) sendEmpty(response);
    else sendJson(response, 200, { warnings: [unsavedWarning(unsaved)], saved: false });
  });
}

/** Serves `/history/<revision>/<anything else>`. */
export function handleUnknownAction({ params }: { readonly params: Readonly<Record<string, unknown>> }): never {
  throw pathError(`unknown revision action ${JSON.stringify(params['action'])}; use apply or confirm`, 404);
}

/** Checks whether the client may confirm a change. The author of a change may always confirm it. */
function checkConfirmation(
  request: RevisionRequest,
  revision: number,
  { reconciler: { unconfirmed } }: ApiOptions,
): void {
  const authority = authorityOf(request);
  const isOwn = authority.name !== null && unconfirmed?.revision === revision && unconfirmed.by === authority.name;
  if (!isOwn && !authority.allowsPath(methodOf(request), targetOf(request).path))
    throw forbidden(`${authority.name} does not have permission to confirm revision ${revision}`);
}

/** Applies a rollback in the same way as any other change. */
async function apply(request: RevisionRequest, response: ServerResponse, api: ApiOptions): Promise<void> {
  const revision = revisionOf(request);
  api.reconciler.documentAt(revision);
  const edit = (current: Json): Json => shareSubtrees(current, api.reconciler.documentAt(revision));
  try {
    const options = withDigest(changeOptionsOf(request), null);
    await respondToChange(response, await applyEdit(api, edit, options), [], readerOf(request, options));
  } catch (error) {
    throw refusal(error, 422, 'loading new config', api.log);
  }
}

function shown(entry: HistoryEntry | null, { unconfirmed }: Reconciler): { readonly [key: string]: Json } {
  if (entry === null) return {};
  const { revision, time, origin, by, operations } = entry;
  const who = by === null ? { origin } : { origin, by };
  const wait = unconfirmed?.revision === revision ? { confirm_by: formatTime(unconfirmed.deadline) } : {};
  return { revision, time: formatTime(time), ...who, ...wait, patch: operations };
}

/** Returns the requested page of changes and the URL of the next page. The URL is `null` on the last page. */
function pageOf(
  all: readonly HistoryEntry[],
  { query }: AdminRequest,
): { readonly entries: readonly HistoryEntry[]; readonly next: string | null } {
  const from = numberIn(query, 'from', 1);
  const before = numberIn(query, 'before', Number.POSITIVE_INFINITY);
  const limit = numberIn(query, 'limit', Number.POSITIVE_INFINITY);
  const wanted = all.filter(({ revision }) => revision >= from && revision < before);
  const entries = wanted.slice(0, limit);
  const last = entries.at(-1);
  if (last === undefined || entries.length === wanted.length) return { entries, next: null };
  const words = new URLSearchParams({ before: String(last.revision), limit: String(limit) });
  if (from > 1) words.set('from', String(from));
  return { entries, next: `/history?${words.toString()}` };
}

/** Returns an entity tag for history entries. An entry changes only while it is waiting for confirmation. */
function tagOf(entries: readonly HistoryEntry[], { unconfirmed }: Reconciler): string {
  const [newest, oldest] = [entries[0], entries.at(-1)];
  const ends = [newest, oldest].map((entry) => (entry === undefined ? '' : `${entry.revision}.${entry.time}`));
  return `"${[...ends, unconfirmed?.revision ?? '', unconfirmed?.deadline ?? ''].join('-')}"`;
}

function numberIn(query: AdminRequest['query'], name: string, otherwise: number): number {
  if (query[name] === undefined) return otherwise;
  const [text = ''] = [query[name]].flat();
  if (!revisionText.test(text)) throw requestError(`${name} must be a positive integer, not ${JSON.stringify(text)}`);
  return Number(text);
}

function wantsPatch({ query }: AdminRequest): boolean {
  const [text = 'true'] = [query['patch'] ?? []].flat();
  if (text !== 'true' && text !== 'false')
    throw requestError(`patch must be true or false, not ${JSON.stringify(text)}`);
  return text === 'true';
}

const revisionText = /^[1-9]\d{0,14}$/;

function revisionOf({ params: { revision: text } }: RevisionRequest): number {
  if (!revisionText.test(text)) throw pathError(`${JSON.stringify(text)} is not a revision number`, 404);
  return Number(text);
}
