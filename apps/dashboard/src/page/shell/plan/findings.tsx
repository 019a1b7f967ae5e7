/** Lint findings in the draft. Automatic fixes can be added to the draft. */
import { valueAt } from '../../base/json.ts';
import type { Operation } from '../../base/difference.ts';
import { parsePointer, parseWhere, pointerOf } from '../../base/paths.ts';
import { State } from '../../parts/basic.tsx';
import { PlaceName } from '../../parts/place-link.tsx';
import { insert, remove, replace, shown } from '../../state/configuration.ts';
import { go } from '../../state/location.ts';
import { tryDraft, type Finding } from '../../state/plan.ts';

const healths = { error: 'bad', warning: 'warn', note: 'idle' } as const;

/** Shows findings, with new findings first. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) return null;
  const sorted = [...findings].sort((a, b) => Number(a.known ?? false) - Number(b.known ?? false));
  return (
    <section aria-label="Warnings" class="pad">
      <h3>Warnings</h3>
      <ul class="findings">
        {sorted.map((finding, index) => (
          <OneFinding key={index} finding={finding} />
        ))}
      </ul>
    </section>
  );
}

function OneFinding({ finding }: { finding: Finding }) {
  const { code, check, severity = 'warning', path, message, source, known, fix } = finding;
  return (
    <li>
      <State health={healths[severity]}>{severity}</State> <span class="chip">{code ?? check}</span> {message}{' '}
      <button type="button" class="text" onClick={() => go('config', { path: pointerOf(parseWhere(path)) })}>
        <PlaceName path={parseWhere(path)} document={shown.value} />
      </button>
      {source !== undefined && <span class="soft"> ({source})</span>}
      {known === true && <span class="soft"> · already in the current configuration</span>}
      {fix !== undefined && (
        <button type="button" onClick={() => fixIt(fix.operations)}>
          {fix.title}
        </button>
      )}
    </li>
  );
}

/** Adds a fix to the draft and validates it. */
function fixIt(operations: readonly Operation[]): void {
  for (const { op, path, value = null } of operations) {
    const at = parsePointer(path);
    const parent = valueAt(shown.value, at.slice(0, -1));
    if (op === 'remove') remove(at);
    else if (op === 'add' && Array.isArray(parent)) insert(at, value);
    else if (op === 'add' || op === 'replace') replace(at, value);
  }
  void tryDraft();
}
