/** The steps of an explanation as a tree. */
import type { JSX } from 'preact';
import type { Health } from '../../base/health.ts';
import { State } from '../../parts/basic.tsx';
import { PlaceLink } from '../../parts/place-link.tsx';
import type { Step } from './explanation.ts';

/** Renders steps with their nested steps. */
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
      <State health={healthOf(step)}>{wordOf(step)}</State> <strong>{id ?? kind}</strong> <PlaceLink where={path} />
      {source && (
        <span class="soft">
          {' '}
          {source.file}:{source.line}
        </span>
      )}
      {known !== 'evaluated' && <span class="chip">{known}</span>}
      {wanted !== null && wanted !== undefined && verdict !== null && (
        <div class="soft">
          expected <code>{JSON.stringify(wanted)}</code>
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

/**
 * Returns the text for the verdict of a step. The verdict of a handler is `true` if the handler called the next
 * handler.
 */
function wordOf({ verdict, kind }: Step): string {
  if (verdict === 'unknown') return 'unknown';
  if (kind === 'handler') return verdict === false ? 'responded' : 'next';
  if (kind === 'route') return verdict === true ? 'matched' : 'not matched';
  return verdict === true ? 'matched' : verdict === false ? 'not matched' : kind;
}
