/** Explains which route handles a request, and why. The server evaluates the routes; the page performs no matching. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, reasonOf } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { copy, CopyAsCurl } from '../../parts/action.tsx';
import { Card, Field, Problem, State } from '../../parts/basic.tsx';
import { inForce } from '../../state/configuration.ts';
import { PlaceLink } from '../../parts/place-link.tsx';
import { milliseconds } from '../../base/format.ts';
import { adjust, place } from '../../state/location.ts';
import { siteAddresses } from '../overview/site-addresses.ts';
import { assumptionText, outcomeText, type Explanation, type ExplainRequest } from './explanation.ts';
import { MakeTest } from './make-test.tsx';
import { Steps } from './steps.tsx';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

export function Explain() {
  const { url = siteAddresses(inForce.value.value)[0] ?? 'http://localhost/', method = 'GET' } = place.value.values;
  const fields = useSignal('');
  const client = useSignal('');
  const result = useSignal<Explanation | null>(null);
  const problem = useSignal<string | null>(null);
  const headers = headersIn(fields.value);
  const request: ExplainRequest = {
    url,
    method,
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(client.value === '' ? {} : { client: client.value }),
  };
  const call = calls.explain({}, { json: request });
  const run = async (): Promise<void> => {
    problem.value = null;
    try {
      result.value = (await ask(call)).json as Explanation;
    } catch (error) {
      result.value = null;
      problem.value = reasonOf(error);
    }
  };
  useEffect(() => {
    if (place.value.values['url'] !== undefined) void run();
  }, []);
  const submit = (event: Event): void => {
    event.preventDefault();
    void run();
  };
  return (
    <>
      <Card title="Request">
        <form class="form" onSubmit={submit}>
          <div class="asked">
            <Field label="Method">
              <select value={method} onChange={(event) => adjust({ method: event.currentTarget.value })}>
                {methods.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            </Field>
            <Field label="URL">
              <input type="url" required value={url} onInput={(event) => adjust({ url: event.currentTarget.value })} />
            </Field>
          </div>
          <details>
            <summary>Header fields and client address</summary>
            <div class="form">
              <Field
                label="Header fields"
                hint="One per line, as in “Accept: text/html”. The fields are sent only to this server and are not included in this page's URL."
              >
                <textarea
                  rows={3}
                  value={fields.value}
                  onInput={(event) => void (fields.value = event.currentTarget.value)}
                />
              </Field>
              <Field
                label="Client address"
                hint="If empty, matchers that depend on the client address are shown with both outcomes."
              >
                <input
                  placeholder="192.0.2.7"
                  value={client.value}
                  onInput={(event) => void (client.value = event.currentTarget.value)}
                />
              </Field>
            </div>
          </details>
          <div class="row">
            <button type="submit" class="main">
              Explain
            </button>
            <CopyAsCurl call={call} />
            <MakeTest of={request} />
          </div>
        </form>
      </Card>
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      {result.value !== null && <Result explanation={result.value} />}
    </>
  );
}

function Result({ explanation }: { explanation: Explanation }) {
  const { outcome, unknown, paths, disagreement, truncated, ms, request } = explanation;
  const isUnknown = outcome.kind === 'unknown' || unknown.length > 0;
  const health = outcome.kind === 'error' || outcome.status >= 500 ? 'bad' : isUnknown ? 'warn' : 'ok';
  return (
    <Card
      title="Result"
      side={
        <button type="button" onClick={() => void copy(JSON.stringify(explanation, null, 2), 'Explanation')}>
          Copy as JSON
        </button>
      }
    >
      <div class="pad">
        <p class="sentence">
          <State health={health}>{outcomeText(outcome)}</State>
        </p>
        <p>
          {outcome.route === null ? (
            'No route responded.'
          ) : (
            <>
              Route <PlaceLink where={outcome.route} />
              {outcome.handler_id ? `, handler ${outcome.handler_id}` : ''}
            </>
          )}{' '}
          <span class="soft">
            Server {request.server}, evaluated in {milliseconds(ms)}
          </span>
        </p>
        {unknown.length > 0 && <p class="state warn wrap">▲ Unknown: {unknown.join(', ')}</p>}
        {truncated !== null && (
          <p class="state warn wrap">▲ The explanation is incomplete: it reached the {truncated} limit.</p>
        )}
        {disagreement.length > 0 && (
          <Problem>The route index and the routes disagree. This is a bug in the server; please report it.</Problem>
        )}
        {outcome.upstream && (
          <ul class="modules">
            {outcome.upstream.candidates.map(({ address, chosen, possible, why }) => (
              <li key={address}>
                <State health={chosen ? 'ok' : possible === true ? 'warn' : 'idle'}>
                  {chosen ? 'selected' : possible === true ? 'possible' : 'not selected'}
                </State>{' '}
                <code>{address}</code> <span class="soft">{why}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {paths.map(({ assumed, outcome: end, steps }, index) => (
        <details key={index} open={index === 0} class="pad">
          <summary>
            {assumed.length === 0 ? 'Steps' : `If ${assumed.map(assumptionText).join(' and ')}: ${outcomeText(end)}`}
          </summary>
          <Steps steps={steps} />
        </details>
      ))}
    </Card>
  );
}

function headersIn(text: string): Readonly<Record<string, string>> {
  const pairs = text.split('\n').map((line) => /^\s*([^:\s]+)\s*:\s*(.*?)\s*$/.exec(line));
  return Object.fromEntries(pairs.flatMap((pair) => (pair === null ? [] : [[String(pair[1]), String(pair[2])]])));
}
