/** Formats an explanation as a tree. */
import type { Json } from '@sluice/base';
import type { Explanation } from '@sluice/http-analysis';
import { stepLines, type Paint } from './step-lines.ts';

type Outcome = Explanation['outcome'];
type Assumption = Explanation['paths'][number]['assumed'][number];

const plain: Paint = { dim: (text) => text, good: (text) => text, bad: (text) => text, doubt: (text) => text };

const colors: Paint = {
  dim: (text) => `\x1b[2m${text}\x1b[22m`,
  good: (text) => `\x1b[32m${text}\x1b[39m`,
  bad: (text) => `\x1b[31m${text}\x1b[39m`,
  doubt: (text) => `\x1b[33m${text}\x1b[39m`,
};

/** Formats an explanation as text, optionally with colors. */
export function explanationText(explanation: Explanation, color: boolean): string {
  const { request, unknown, paths, more_paths: more, truncated, disagreement } = explanation;
  const paint = color ? colors : plain;
  const lines = [`${request.method} ${request.url}  ${paint.dim(`server ${request.server}`)}`];
  if (request.server_known === 'assumed')
    lines.push(paint.doubt('no server listens on the port in the URL; assuming this server'));
  for (const [index, path] of paths.entries()) {
    if (paths.length > 1) {
      lines.push('', paint.doubt(`Path ${index + 1}: if ${path.assumed.map(assumptionText).join(', ')}`));
    }
    lines.push(...stepLines(path.steps, paint), `=> ${outcomeText(path.outcome)}`);
    lines.push(...details(path.outcome).map((line) => `   ${paint.dim(line)}`));
  }
  lines.push('');
  if (unknown.length > 0) lines.push(paint.doubt(`Unknown: ${unknown.join(', ')}`));
  if (more)
    lines.push(
      paint.doubt(
        'More than eight outcomes are possible; only these are shown. Provide more information about the request.',
      ),
    );
  if (truncated !== null) lines.push(paint.doubt(`Truncated: too ${truncated === 'steps' ? 'many steps' : 'slow'}.`));
  for (const place of disagreement)
    lines.push(paint.bad(`The route index omits ${place}, although this route matches. Please report this bug.`));
  while (lines.at(-1) === '') lines.pop();
  return `${lines.join('\n')}\n`;
}

function assumptionText({ path, fact, verdict, upstream }: Assumption): string {
  return upstream === undefined ? `${path} is ${verdict}` : `${path} selects ${upstream} (depends on ${fact})`;
}

/** Describes the outcome of a request in one line. */
function outcomeText({ kind, status, handler, handler_id: id, size, error, upstream }: Outcome): string {
  const by = handler === null ? '' : ` by ${id ?? ''} (${handler})`;
  switch (kind) {
    case 'response':
      return handler === null && size === 0
        ? `${statusText(status)}, empty body: no handler sends a response`
        : `${statusText(status)}, ${sizeText(size)}${handler === null ? ': no route applies' : `,${by}`}`;
    case 'error':
      return `error ${statusText(status)}${error === null ? '' : `: ${error.message}`}${by}; no route handles it`;
    case 'outward':
      return `would be sent to ${upstream?.address ?? 'an unknown address'}${by}`;
    case 'abort':
      return `the connection would be closed${by}`;
    case 'refused':
      return 'the connection would be refused: no server listens on the address';
    case 'opaque':
      return `unknown: ${id ?? 'a module'} does not declare its effect`;
    case 'unknown':
      return 'unknown';
  }
}

function sizeText(size: number | null): string {
  if (size === null) return 'body of unknown size';
  return size === 0 ? 'no body' : `${size} bytes`;
}

function statusText(status: number): string {
  return status === 0 ? 'unknown status' : String(status);
}

/** Describes the upstreams of the outcome, and the error that routes have handled. */
function details({ kind, upstream, sends, error, depends_on: unknown }: Outcome): string[] {
  const lines: string[] = [];
  if (error !== null && kind === 'response') lines.push(`for error ${error.status}: ${error.message}`);
  for (const { address, chosen, possible, why, state, reason, since } of upstream?.candidates ?? [])
    lines.push(`${chosen ? '*' : possible ? '?' : ' '} ${address}: ${why}`, `    ${state} since ${since}: ${reason}`);
  if (sends !== null)
    lines.push(`sends ${known(sends['method'])} ${known(sends['uri'])}, Host ${known(sends['host'])}`);
  if (unknown.length > 0) lines.push(`response content depends on unknown request properties: ${unknown.join(', ')}`);
  return lines;
}

function known(value: Json | undefined): string {
  return typeof value === 'string' ? value : '(unknown)';
}
