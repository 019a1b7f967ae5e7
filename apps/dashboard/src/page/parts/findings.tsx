/** Lint findings in a change. */
import type { Operation } from '../base/difference.ts';
import { parseWhere, pointerOf } from '../base/paths.ts';
import { shown } from '../state/configuration.ts';
import { go } from '../state/location.ts';
import type { Finding } from '../state/plan.ts';
import { State } from './basic.tsx';
import { PlaceName } from './place-link.tsx';

const healths = { error: 'bad', warning: 'warn', note: 'idle' } as const;

interface FindingsProps {
  readonly findings: readonly Finding[];
  /** Makes an automatic fix. If omitted, fixes are not offered. */
  readonly onFix?: (operations: readonly Operation[]) => void;
}

export function Findings({ findings, onFix }: FindingsProps) {
  if (findings.length === 0) return null;
  const sorted = [...findings].sort((a, b) => Number(a.known ?? false) - Number(b.known ?? false));
  return (
    <section aria-label="Warnings" class="pad">
      <h3>Warnings</h3>
      <ul class="findings">
        {sorted.map((finding, index) => (
          <OneFinding key={index} finding={finding} onFix={onFix} />
        ))}
      </ul>
    </section>
  );
}

function OneFinding({ finding, onFix }: { finding: Finding; onFix: FindingsProps['onFix'] }) {
  const { code, check, severity = 'warning', path, message, source, known, fix } = finding;
  return (
    <li>
      <State health={healths[severity]}>{severity}</State> <span class="chip">{code ?? check}</span> {message}{' '}
      <button type="button" class="text" onClick={() => go('config', { path: pointerOf(parseWhere(path)) })}>
        <PlaceName path={parseWhere(path)} document={shown.value} />
      </button>
      {source !== undefined && <span class="soft"> ({source})</span>}
      {known === true && <span class="soft"> · already in the current configuration</span>}
      {fix !== undefined && onFix !== undefined && (
        <button type="button" onClick={() => onFix(fix.operations)}>
          {fix.title}
        </button>
      )}
    </li>
  );
}
