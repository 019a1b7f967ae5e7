/** `/history`: the last applied configurations, going back to one, and confirming one that waits for it. */
import type { ServerResponse } from 'node:http';
import { pathError, type Json } from '@sluice/base';
import { shareSubtrees, type Reconciler, type HistoryEntry } from '@sluice/reconciler';
import type { AdminRequest, AdminRouter } from '@sluice/registry';
import { authorityOf, changeOptionsOf, methodOf, targetOf, withDigest } from '../call.ts';
import { forbidden, requestError } from '../errors.ts';
import { sendDocument, sendEmpty, sendJson } from '../http/send.ts';
import { respondToChange, applyEdit, formatTime, refusal, unsavedWarning, type ApiOptions } from './changes.ts';
import { readerOf } from './rehearsal-body.ts';

type RevisionRequest = AdminRequest<{ readonly revision: string }>;

/** Adds `GET /history`, what was applied, newest first, and with `from` those from a revision on; `GET /history/<revision>`; and what can be done with a revision. */
export function addHistoryRoutes(router: AdminRouter, api: ApiOptions): void {
  const { reconciler } = api;
  router.get('/history', (request, response) => {
    const from = request.query['from'] === undefined ? 1 : fromOf(request);
    const entries = reconciler.history.entries.filter(({ revision }) => revision >= from);
    return sendDocument(
      response,
      200,
      entries.map((entry) => shown(entry, reconciler)),
    );
  });
  router.get('/history/:revision', async (request, response) => {
    const revision = revisionOf(request);
    const document = reconciler.documentAt(revision);
    await sendDocument(response, 200, { ...shown(reconciler.history.find(revision), reconciler), document });
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
  throw pathError(`a revision has apply and confirm, not ${JSON.stringify(params['action'])}`, 404);
}

/** Who made a change may also confirm it. */
function checkConfirmation(
  request: RevisionRequest,
  revision: number,
  { reconciler: { unconfirmed } }: ApiOptions,
): void {
  const authority = authorityOf(request);
  const isOwn = authority.name !== null && unconfirmed?.revision === revision && unconfirmed.by === authority.name;
  if (!isOwn && !authority.allowsPath(methodOf(request), targetOf(request).path))
    throw forbidden(`${authority.name} may not confirm revision ${revision}`);
}

/** A change like others. */
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

function fromOf({ query }: AdminRequest): number {
  const [text = ''] = [query['from'] ?? []].flat();
  if (!revisionText.test(text))
    throw requestError(`from must be the number of a revision, as 12, not ${JSON.stringify(text)}`);
  return Number(text);
}

const revisionText = /^[1-9]\d{0,14}$/;

function revisionOf({ params: { revision: text } }: RevisionRequest): number {
  if (!revisionText.test(text)) throw pathError(`${JSON.stringify(text)} is not a number of a revision`, 404);
  return Number(text);
}
