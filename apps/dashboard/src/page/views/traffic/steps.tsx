/** The steps of an explanation, as a tree: those that fit are open. */
import type { JSX } from 'preact';
import type { Health } from '../../base/health.ts';
import { parseWhere, pointerOf } from '../../base/paths.ts';
import { State } from '../../parts/basic.tsx';
import { linkTo } from '../../state/location.ts';
import type { Step } from './explanation.ts';

/** A list of steps, with those inside of each. */
export function Steps({ steps }: { steps: readonly Step[] }): JSX.Element {
  return (
    <ul class="steps">
      {steps.map((step, index) => (
        <li key={index}>
          <OneStep step={step} />
          {step.steps.length > 0 && <Steps steps={step.steps} />}
        </li>
      ))}
    </ul>
  );
}

function OneStep({ step }: { step: Step }) {
  const { path, id, kind, verdict, known, wanted, got, changed, source } = step;
  return (
    <div>
      <State health={healthOf(step)}>{wordOf(step)}</State> <strong>{id ?? kind}</strong>{' '}
      <a href={linkTo('config', { path: pointerOf(parseWhere(path)) })}>{path}</a>
      {source && (
        <span class="soft">
          {' '}
          {source.file}:{source.line}
        </span>
      )}
      {known !== 'evaluated' && <span class="chip">{known}</span>}
      {wanted !== null && wanted !== undefined && verdict !== null && (
        <div class="soft">
          wants <code>{JSON.stringify(wanted)}</code>
          {got !== null && got !== undefined && (
            <>
              , got <code>{JSON.stringify(got)}</code>
            </>
          )}
        </div>
      )}
      {changed &&
        Object.entries(changed).map(([name, [before, after]]) => (
          <div class="soft" key={name}>
            {name}: <code>{JSON.stringify(before)}</code> → <code>{JSON.stringify(after)}</code>
          </div>
        ))}
    </div>
  );
}

function healthOf({ verdict, kind }: Step): Health {
  if (verdict === 'unknown') return 'warn';
  return verdict === true || (kind === 'handler' && verdict === false) ? 'ok' : 'idle';
}

/** A handler says `true` when it passes a request on. */
function wordOf({ verdict, kind }: Step): string {
  if (verdict === 'unknown') return 'unknown';
  if (kind === 'handler') return verdict === false ? 'ends it' : 'passes on';
  if (kind === 'route') return verdict === true ? 'reached' : 'not reached';
  return verdict === true ? 'fits' : verdict === false ? 'does not fit' : kind;
}
