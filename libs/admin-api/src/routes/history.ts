/** `/history`: the last applied configurations, going back to one, and confirming one that waits for it. */
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { pathError, type Json } from '@sluice/base';
import { shareSubtrees, type Engine, type HistoryEntry } from '@sluice/engine';
import { authorityOf, changeOptionsOf, methodOf, targetOf } from '../call.ts';
import { forbidden, requestError } from '../errors.ts';
import { answerDocument, answerEmpty, answerJson } from '../http/answer.ts';
import { answerChange, applyEdit, formatTime, refusal, unsavedWarning, type ApiOptions } from './changes.ts';

/** Answers `GET /history`: what was applied, newest first. */
export async function handleHistory(request: Request, response: ServerResponse, { engine }: ApiOptions): Promise<void> {
  allow(request, 'GET');
  await answerDocument(
    response,
    200,
    engine.history.entries.map((entry) => shown(entry, engine)),
  );
}

/** Answers `GET /history/<revision>`: the change, and the document as of then. */
export async function handleRevision(
  request: Request,
  response: ServerResponse,
  { engine }: ApiOptions,
): Promise<void> {
  allow(request, 'GET');
  const revision = revisionOf(request);
  const document = engine.documentAt(revision);
  await answerDocument(response, 200, { ...shown(engine.history.find(revision), engine), document });
}

/** Answers `POST /history/<revision>/apply`, a change like others, and `POST /history/<revision>/confirm`. */
export async function handleRevisionAction(request: Request, response: ServerResponse, api: ApiOptions): Promise<void> {
  const { action } = request.params;
  const isApply = action === 'apply';
  if (!isApply && action !== 'confirm')
    throw pathError(`a revision has apply and confirm, not ${JSON.stringify(action)}`, 404);
  allow(request, 'POST');
  const revision = revisionOf(request);
  if (isApply) await apply(request, response, revision, api);
  else {
    checkConfirmation(request, revision, api);
    const { unsaved } = await api.engine.confirm(revision);
    if (unsaved === null) answerEmpty(response);
    else answerJson(response, 200, { warnings: [unsavedWarning(unsaved)], saved: false });
  }
}

/** Who made a change may also confirm it. */
function checkConfirmation(request: Request, revision: number, { engine: { unconfirmed } }: ApiOptions): void {
  const authority = authorityOf(request);
  const isOwn = authority.name !== null && unconfirmed?.revision === revision && unconfirmed.by === authority.name;
  if (!isOwn && !authority.allowsPath(methodOf(request), targetOf(request).path))
    throw forbidden(`${authority.name} may not confirm revision ${revision}`);
}

async function apply(request: Request, response: ServerResponse, revision: number, api: ApiOptions): Promise<void> {
  api.engine.documentAt(revision);
  const edit = (current: Json): Json => shareSubtrees(current, api.engine.documentAt(revision));
  try {
    await answerChange(response, await applyEdit(api, edit, changeOptionsOf(request)));
  } catch (error) {
    throw refusal(error, 422, 'loading new config', api.log);
  }
}

function shown(entry: HistoryEntry | null, { unconfirmed }: Engine): { readonly [key: string]: Json } {
  if (entry === null) return {};
  const { revision, time, origin, by, operations } = entry;
  const who = by === null ? { origin } : { origin, by };
  const wait = unconfirmed?.revision === revision ? { confirm_by: formatTime(unconfirmed.deadline) } : {};
  return { revision, time: formatTime(time), ...who, ...wait, patch: operations };
}

function revisionOf({ params }: Request): number {
  const text = String(params['revision']);
  if (!/^[1-9]\d{0,14}$/.test(text)) throw pathError(`${JSON.stringify(text)} is no number of a revision`, 404);
  return Number(text);
}

function allow(request: Request, method: string): void {
  if (methodOf(request) !== method) throw requestError(`method ${methodOf(request)} not allowed`, 405);
}
