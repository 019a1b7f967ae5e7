/** Reports about proposed changes, as JSON or as an HTML page. */
import { escapeHtml, isArray, isObject, isSecretName, redacted, type Json, type JsonObject } from '@sluice/base';
import { formatTime } from '../routes/changes.ts';
import type { Proposal } from '../proposal.ts';

/** Returns a report with the proposed change, its author, its predicted effects, and the decision. */
export function reportOf(proposal: Proposal, version: string): JsonObject {
  const { id, title, reason, by, at, operations, report, state, closedBy, closedAt, revision, rollout } = proposal;
  return {
    server: `Sluice ${version}`,
    proposal: { id, title, reason, by, at: formatTime(at), patch: withoutSecrets(operations) },
    effects: withoutPatch(report),
    ...(rollout === null ? {} : { rollout: withoutPatch(rollout) }),
    decision:
      closedAt === null
        ? { state }
        : { state, by: closedBy, at: formatTime(closedAt), ...(revision === null ? {} : { revision }) },
  };
}

/** Returns a dry-run report without its patch, because the proposal already contains the patch. */
function withoutPatch(report: Json): Json {
  if (!isObject(report)) return report;
  const { patch: _, ...rest } = report;
  return rest;
}

/** Redacts options whose names suggest that they contain secrets, because users share these reports. */
function withoutSecrets(value: Json): Json {
  if (isArray(value)) return value.map(withoutSecrets);
  if (!isObject(value)) return value;
  const { path } = value;
  const isSecret = typeof path === 'string' && isSecretName(path.slice(path.lastIndexOf('/') + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecretName(key) || (isSecret && key === 'value') ? redacted : withoutSecrets(inner),
    ]),
  );
}

/** Returns an HTML page that loads no other resources. The page embeds `signature`, so that readers can verify it. */
export function reportPage(report: JsonObject, signature: string): string {
  const { proposal, effects, decision, rollout } = report as Record<string, Record<string, Json>>;
  const { title, reason, by, at, patch } = proposal ?? {};
  const behavior = (effects?.['behavior'] ?? null) as Behavior | null;
  const shadow = (effects?.['shadow'] ?? null) as Shadow | null;
  const tests = (effects?.['tests'] ?? null) as TestResults | null;
  const edits = (patch ?? []) as readonly { readonly op: string; readonly path: string; readonly value?: Json }[];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(text(title))}</title><style>${style}</style></head><body><main>
<h1>${escapeHtml(text(title))}</h1>
<p class="state ${escapeHtml(text(decision?.['state']))}">${escapeHtml(decisionText(decision ?? {}))}</p>
<p>Proposed by ${escapeHtml(text(by ?? 'a client without a name'))} on ${escapeHtml(text(at))}.</p>
${text(reason) === '' ? '' : `<blockquote>${escapeHtml(text(reason))}</blockquote>`}
<h2>Edits</h2>
<ul>${edits.map(({ op, path, value }) => `<li><b>${escapeHtml(op)}</b> <code>${escapeHtml(path)}</code>${value === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`}</li>`).join('')}</ul>
<h2>Requests</h2>
${behavior === null ? '<p>Requests were not compared.</p>' : behaviorHtml(behavior)}
${shadow === null ? '' : shadowHtml(shadow)}
${tests === null ? '' : testsHtml(tests)}
${rollout === undefined ? '' : rolloutHtml(rollout as unknown as Rollout)}
<details><summary>Signature</summary><pre id="signature">${escapeHtml(signature)}</pre></details>
</main></body></html>
`;
}

interface Group {
  readonly summary: string;
  readonly examples: readonly { readonly request: { readonly method: string; readonly url: string } }[];
}

interface Reason {
  readonly reason: string;
  readonly count: number;
}

interface Behavior {
  readonly recorded: number;
  readonly generated: number;
  readonly same: number;
  readonly different: number;
  readonly undecided: number;
  readonly groups: readonly Group[];
  readonly undecided_because: readonly Reason[];
}

interface Shadow {
  readonly recorded: number;
  readonly live: number;
  readonly same: number;
  readonly different: number;
  readonly unsteady: number;
  readonly groups: readonly Group[];
  readonly left_out: readonly Reason[];
  readonly latency_ms: Readonly<Record<'before' | 'after', Readonly<Record<'p50' | 'p90' | 'p99', number>>>>;
}

function behaviorHtml(behavior: Behavior): string {
  const { recorded, generated, same, different, undecided, groups, undecided_because: reasons } = behavior;
  return `<p>${recorded} recorded and ${generated} generated requests: ${same} the same, ${different} different, ${undecided} undecided.</p>
${listHtml(groups, reasons, 'undecided')}`;
}

function shadowHtml({ recorded, live, same, different, unsteady, groups, left_out, latency_ms }: Shadow): string {
  const { before, after } = latency_ms;
  const latency = (['p50', 'p90', 'p99'] as const).map((name) => `${name} ${before[name]} → ${after[name]} ms`);
  return `<h2>Responses</h2>
<p>${recorded} recorded and ${live} live requests: ${same} the same, ${different} different, ${unsteady} intermittently different.</p>
<p>Latency: ${latency.join(', ')}.</p>
${listHtml(groups, left_out, 'not replayed')}`;
}

interface TestResults {
  readonly cases: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly error: string | null;
  readonly failures: readonly {
    readonly name: string;
    readonly file: string;
    readonly line: number;
    readonly differences: readonly { readonly what: string; readonly expected: string; readonly got?: string }[];
  }[];
}

function testsHtml({ cases, passed, failed, skipped, error, failures }: TestResults): string {
  const items = failures.map(({ name, file, line, differences }) => {
    const lines = differences.map(
      ({ what, expected, got }) => `${what}: expected ${expected}${got === undefined ? '' : `, got ${got}`}`,
    );
    return `<li>${escapeHtml(name)} <code>${escapeHtml(`${file}:${line}`)}</code><pre>${escapeHtml(lines.join('\n'))}</pre></li>`;
  });
  return `<h2>Tests</h2>
<p>${cases} required tests: ${passed} passed, ${failed} failed, ${skipped} skipped.</p>
${error === null ? '' : `<p>Not all tests could run: ${escapeHtml(error)}</p>`}
<ul>${items.join('')}</ul>`;
}

function listHtml(groups: readonly Group[], reasons: readonly Reason[], label: string): string {
  const items = [
    ...groups.map(({ summary, examples: [example] }) => ({
      line: summary,
      note: example === undefined ? '' : `${example.request.method} ${example.request.url}`,
    })),
    ...reasons.map(({ reason, count }) => ({ line: `${count} ${label}: ${reason}`, note: '' })),
  ];
  const list = items
    .map(({ line, note }) => `<li>${escapeHtml(line)}<br><code>${escapeHtml(note)}</code></li>`)
    .join('');
  return `<ul>${list}</ul>`;
}

interface Counts {
  readonly requests: number;
  readonly failures: number;
  readonly latency_ms?: { readonly p95: number };
}

interface Rollout {
  readonly state: string;
  readonly why?: string;
  readonly plan: string;
  readonly steps: readonly { readonly stage: string; readonly seen: { readonly new: Counts; readonly old: Counts } }[];
}

function rolloutHtml({ state, why, plan, steps }: Rollout): string {
  const results: Readonly<Record<string, string>> = { promoted: 'completed', taken_back: 'rolled back' };
  const countsText = ({ requests, failures, latency_ms: latency }: Counts): string =>
    `${requests} requests, ${failures} failed${latency === undefined ? '' : `, p95 ${latency.p95} ms`}`;
  const items = steps.map(
    ({ stage, seen }) =>
      `<li><b>${escapeHtml(stage)}</b>: ${escapeHtml(countsText(seen.new))} with the change; ${escapeHtml(countsText(seen.old))} without it</li>`,
  );
  return `<h2>Rollout</h2>
<p>Plan <code>${escapeHtml(plan)}</code>: ${escapeHtml(results[state] ?? 'in progress')}${why === undefined ? '' : `, ${escapeHtml(why)}`}.</p>
<ul>${items.join('')}</ul>`;
}

function decisionText({ state, by, at, revision }: Readonly<Record<string, Json>>): string {
  if (state === 'open' || state === 'rolling_out') return 'Not decided yet';
  const who = text(by) === '' ? '' : ` by ${text(by)}`;
  const as = revision === undefined ? '' : `, as revision ${text(revision)}`;
  return `${state === 'applied' ? 'Approved and applied' : 'Withdrawn'}${who} on ${text(at)}${as}`;
}

function text(value: Json | undefined): string {
  return value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}

const style = `:root{color-scheme:light dark}body{margin:0;font:16px/1.5 system-ui,sans-serif}main{max-width:50rem;margin:auto;padding:1rem}
h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}.state{font-weight:600}.applied{color:light-dark(#176b2c,#7ddc95)}.withdrawn{color:light-dark(#9a3412,#fdba74)}
blockquote{margin:0;padding-left:1rem;border-left:3px solid #8888;white-space:pre-wrap}pre,code{font-family:ui-monospace,monospace;font-size:.85rem;overflow-wrap:anywhere;white-space:pre-wrap}
li{margin:.5rem 0}`;
