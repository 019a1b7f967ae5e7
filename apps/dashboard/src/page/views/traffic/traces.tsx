/** Requests that are recorded, with the time that each handler took. What is secret is taken out before it is stored. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { calls } from '../../api/calls.ts';
import { listen } from '../../api/events.ts';
import { clock, milliseconds } from '../../base/format.ts';
import { parseWhere, pointerOf } from '../../base/paths.ts';
import type { JsonObject } from '../../base/json.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Field, Problem, State } from '../../parts/basic.tsx';
import { numberColumns, Table } from '../../parts/table.tsx';
import { linkTo } from '../../state/location.ts';
import { Waterfall, type Trace } from './waterfall.tsx';

const kept = 500;

/** The form, and what is recorded. */
export function Traces() {
  const host = useSignal('');
  const path = useSignal('');
  const status = useSignal('');
  const traces = useSignal<readonly Trace[]>([]);
  const recording = useSignal<string>('');
  const problem = useSignal<string | null>(null);
  const chosen = useSignal<string | null>(null);
  useEffect(
    () =>
      listen(calls.traces(), {
        onState: (reason) => void (problem.value = reason),
        onEvent: ({ name, data }) => {
          if (name === 'trace') {
            const trace = data as Trace;
            traces.value = [...traces.value.filter(({ id }) => id !== trace.id).slice(1 - kept), trace];
          }
          if (name === 'recording') recording.value = (data as { readonly state: string }).state;
        },
      }),
    [],
  );
  const match: JsonObject = {
    ...(host.value === '' ? {} : { host: host.value }),
    ...(path.value === '' ? {} : { path: path.value }),
    ...(status.value === '' ? {} : { status: status.value }),
    count: 100,
    seconds: 60,
  };
  const shownTrace = traces.value.find(({ id }) => id === chosen.value);
  return (
    <>
      <Card title="Record the next 100 requests, for a minute at most">
        <div class="form">
          <div class="three-fields">
            <Field label="Host">
              <input
                placeholder="any"
                value={host.value}
                onInput={(event) => void (host.value = event.currentTarget.value)}
              />
            </Field>
            <Field label="Path">
              <input
                placeholder="any, such as /cart*"
                value={path.value}
                onInput={(event) => void (path.value = event.currentTarget.value)}
              />
            </Field>
            <Field label="Status">
              <input
                placeholder="any, such as 5xx"
                value={status.value}
                onInput={(event) => void (status.value = event.currentTarget.value)}
              />
            </Field>
          </div>
          <div class="row">
            <Action
              kind="main"
              label="Record"
              call={calls.record({}, { json: match })}
              done="Recording"
              onDone={() => void (recording.value = 'recording')}
            />
            <Action
              label="End and forget"
              call={calls.endTraces()}
              done="Nothing is recorded any more"
              onDone={() => void ((traces.value = []), (recording.value = ''))}
            />
            {recording.value === 'recording' && <State health="ok">recording</State>}
          </div>
        </div>
      </Card>
      {problem.value !== null && <Problem>{problem.value}</Problem>}
      {traces.value.length === 0 ? (
        <Empty>Nothing is recorded yet.</Empty>
      ) : (
        <Card title={`${traces.value.length} requests`}>
          <Table columns={['Time', 'Request', 'Status', ...numberColumns('took'), 'Route']}>
            {traces.value
              .toReversed()
              .map(({ id, at, request, response, duration_ms: duration, route, route_id: name }) => (
                <tr key={id}>
                  <td>{clock(at)}</td>
                  <th scope="row">
                    <button type="button" class="text" onClick={() => void (chosen.value = id)}>
                      {request.method} {request.host}
                      {request.path}
                    </button>
                  </th>
                  <td>
                    <State
                      health={
                        response.status >= 500 || response.status === 0 ? 'bad' : response.status >= 400 ? 'warn' : 'ok'
                      }
                    >
                      {response.status === 0 ? 'cut' : response.status}
                    </State>
                  </td>
                  <td class="number">{milliseconds(duration)}</td>
                  <td>
                    {route === null ? (
                      '–'
                    ) : (
                      <a href={linkTo('config', { path: pointerOf(parseWhere(route)) })}>
                        {name ?? route.split('.').slice(3).join('.')}
                      </a>
                    )}
                  </td>
                </tr>
              ))}
          </Table>
        </Card>
      )}
      {shownTrace !== undefined && <Waterfall trace={shownTrace} />}
    </>
  );
}
