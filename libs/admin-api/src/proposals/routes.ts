/** Routes below `/proposals`. They test and store proposed changes. Another client can approve a proposal with `/approvals`. */
import type { ServerResponse } from 'node:http';
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { applyJsonPatch, isPersisted, type Edit } from '@sluice/reconciler';
import type { AdminRequest, AdminRouter } from '@sluice/registry';
import { stepRolloutsToken, type StepsState } from '@sluice/rollout';
import type { ApiOptions } from '../api-options.ts';
import { authorityOf, changeOptionsOf, confinedAs, withDigest } from '../call.ts';
import { forbidden, requestError } from '../errors.ts';
import { readBody } from '../http/body.ts';
import { parseJsonBody } from '../http/json-body.ts';
import { sendDocument, sendEmpty, sendJson } from '../http/send.ts';
import { applyEdit, formatTime, refusal, respondToChange } from '../routes/changes.ts';
import { readerOf, rehearsalBody } from '../routes/rehearsal-body.ts';
import { checkReadsAll } from './check-reads.ts';
import { checkMembers, readEdit } from './read-change.ts';
import { reportOf, reportPage } from './report.ts';
import { runTests } from './test-route.ts';
import type { Proposal, ProposalText } from '../proposal.ts';
import { checkStillApplies, close, evidenceOf, Proposals, settle } from './proposals.ts';

type IdRequest = AdminRequest<{ readonly id: string }>;

const maxTitle = 200;
const maxReason = 10_000;

export function addProposalRoutes(router: AdminRouter, api: ApiOptions): void {
  const { reconciler } = api;
  const lastRollout = async (): Promise<StepsState | null> => {
    const rollouts = reconciler.service(stepRolloutsToken);
    await rollouts?.opened();
    return rollouts?.last ?? null;
  };
  const kept = new Proposals(api.proposalStore ?? null, () => isPersisted(reconciler.document), lastRollout);
  router.post('/proposals', async (request, response) => propose(request, response, api, await kept.opened()));
  router.post('/explain/tests', (request, response) => runTests(request, response, api));
  router.get('/proposals', async (_, response) => sendDocument(response, (await kept.opened()).all().map(headOf)));
  router.get('/proposals/:id', async (request: IdRequest, response) => {
    checkReadsAll(request, api, 'read proposals');
    return sendDocument(response, wholeOf((await kept.opened()).find(request.params.id)));
  });
  router.get('/proposals/:id/report', async (request: IdRequest, response) =>
    report(request, response, api, await kept.opened()),
  );
  router.get('/reports/key', async (_, response) => {
    if (api.reportSigner === undefined) throw requestError('this server does not sign reports', 404);
    sendJson(response, 200, await api.reportSigner.publicKey());
  });
  router.delete('/proposals/:id', async (request: IdRequest, response) => {
    const proposals = await kept.opened();
    const proposal = proposals.findOpen(request.params.id);
    close(proposal, 'withdrawn', authorityOf(request).name);
    await proposals.save(proposal);
    sendEmpty(response);
  });
  router.post('/approvals/:id', async (request: IdRequest, response) =>
    approve(request, response, api, await kept.opened()),
  );
}

/** Tests a proposed change and stores the proposal with its report. */
async function propose(
  request: AdminRequest,
  response: ServerResponse,
  api: ApiOptions,
  proposals: Proposals,
): Promise<void> {
  checkReadsAll(request, api, 'propose changes');
  const authority = authorityOf(request);
  proposals.checkRoom();
  const { text, edit } = readProposal(parseJsonBody(await readBody(request, api.bodyLimit)).value);
  const requested = changeOptionsOf(request);
  const options = { ...requested, dryRun: true, comparesBehavior: true, rollout: null };
  let base: Json = null;
  const noting: Edit = (document) => {
    base = document;
    return edit(document);
  };
  try {
    const result = await confinedAs(request, () => applyEdit(api, noting, options));
    if (!result.changed || result.report === null)
      throw requestError('the proposal does not change the configuration', 422);
    const report = rehearsalBody(result, result.report, [], readerOf(request, options));
    if (requested.dryRun === true) return await sendDocument(response, report);
    const { operations } = result;
    const evidence = evidenceOf(operations, base);
    const proposal = proposals.add({ ...text, by: authority.name, operations, evidence, report });
    await proposals.save(proposal);
    api.log.info('change proposed', { proposal: proposal.id, title: text.title, by: authority.name ?? '' });
    sendJson(response, 201, wholeOf(proposal), { Location: `/proposals/${proposal.id}` });
  } catch (error) {
    throw refusal(error, 422, 'proposal', api.log);
  }
}

/** Sends the signed report as a JSON Web Signature. If `?format=html` is set, sends an HTML page. */
async function report(
  request: IdRequest,
  response: ServerResponse,
  api: ApiOptions,
  proposals: Proposals,
): Promise<void> {
  checkReadsAll(request, api, 'read proposals');
  const { reportSigner, version } = api;
  const { format = 'jws' } = request.query;
  if (format !== 'jws' && format !== 'html')
    throw requestError(`format must be jws or html, not ${JSON.stringify(format)}`);
  if (reportSigner === undefined) throw requestError('this server does not sign reports', 404);
  const content = reportOf(proposals.find(request.params.id), version);
  const signature = await reportSigner.sign(JSON.stringify(content));
  response.setHeader('Content-Type', format === 'html' ? 'text/html; charset=utf-8' : 'application/jose');
  response.end(format === 'html' ? reportPage(content, signature) : signature);
}

/** Applies a proposed change. The author of a proposal cannot approve it. */
async function approve(
  request: IdRequest,
  response: ServerResponse,
  api: ApiOptions,
  proposals: Proposals,
): Promise<void> {
  const proposal = proposals.findOpen(request.params.id);
  const { name } = authorityOf(request);
  if (name !== null && name === proposal.by)
    throw forbidden(`${name} is the author of proposal ${proposal.id}: a different token must approve it`);
  const requested = changeOptionsOf(request);
  const author = proposal.by === null ? '' : ` by ${proposal.by}`;
  const origin = `approval of proposal ${proposal.id}${author}`;
  // Include a request digest. Otherwise, if another change had already used the operation ID, the proposal would be closed without being
  // applied.
  const onRolledOut = (rollout: StepsState): void => {
    settle(proposal, rollout);
    void proposals.save(proposal);
  };
  const options = { ...withDigest({ ...requested, origin }, null), isApproved: true, onRolledOut };
  const edit: Edit = (document) => {
    // Another approval may have run first. During a rollout, the edit is applied several times, so skip the check.
    if (proposal.state !== 'rolling_out') proposals.findOpen(request.params.id);
    checkStillApplies(proposal, document);
    return applyJsonPatch(document, proposal.operations, []);
  };
  try {
    const result = await applyEdit(api, edit, options);
    if (result.steps != null) {
      // A repeated request returns the existing rollout, which may already have finished.
      if (!isFinal(result.steps['state'])) {
        proposal.state = 'rolling_out';
        proposal.rollout = result.steps;
        await proposals.save(proposal);
      }
    } else if (requested.dryRun !== true) {
      close(proposal, 'applied', name);
      proposal.revision = api.reconciler.revision;
      await proposals.save(proposal);
    }
    await respondToChange(response, result, [], readerOf(request, options));
  } catch (error) {
    throw refusal(error, 422, 'loading new config', api.log);
  }
}

function isFinal(state: Json | undefined): boolean {
  return state === 'promoted' || state === 'taken_back';
}

/** Parses the body of a proposal. Throws an error that names the invalid member. */
function readProposal(body: Json): { readonly text: ProposalText; readonly edit: Edit } {
  if (!isObject(body)) throw requestError('expected {"title": …, "patch": […]}, or "config" instead of "patch"');
  checkMembers(body, ['title', 'reason', 'patch', 'config']);
  const { title, reason = '' } = body;
  if (typeof title !== 'string' || title === '' || title.length > maxTitle)
    throw requestError(`title: must be a string of 1 to ${maxTitle} characters`);
  if (typeof reason !== 'string' || reason.length > maxReason)
    throw requestError(`reason: must be a string of at most ${maxReason} characters`);
  const edit = readEdit(body);
  if (edit === null) throw requestError('one of patch (RFC 6902) and config is required');
  return { text: { title, reason }, edit };
}

function headOf({ id, title, by, at, state, closedBy, operations }: Proposal): JsonObject {
  return {
    id,
    title,
    state,
    by,
    at: formatTime(at),
    ...(closedBy === null ? {} : { closed_by: closedBy }),
    changes: operations.length,
  };
}

function wholeOf(proposal: Proposal): JsonObject {
  const { reason, report: effects, rollout } = proposal;
  return { ...headOf(proposal), reason, report: effects, ...(rollout === null ? {} : { rollout }) };
}
