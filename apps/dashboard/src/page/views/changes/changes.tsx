/** Applied changes: time, author, old and new values, and rollback. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, reasonOf } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { count, localDateTime, relative } from '../../base/format.ts';
import type { Json } from '../../base/json.ts';
import { parsePointer } from '../../base/paths.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Heading, State } from '../../parts/basic.tsx';
import { Differences } from '../../parts/differences.tsx';
import { PlaceName } from '../../parts/place-link.tsx';
import { inForce, rebase, root } from '../../state/configuration.ts';
import { readHistory, revisions, type Revision } from '../../state/history.ts';
import { mayDiscard } from '../../state/kept-draft.ts';
import { adjust, place } from '../../state/location.ts';
import { say } from '../../state/notices.ts';
import { useRead } from '../../state/read.ts';

export function Changes() {
  const known = revisions.value;
  const newest = known?.[0]?.revision;
  const shownTo = useSignal<number | null>(null);
  const show = (): void => void (shownTo.value = revisions.value?.[0]?.revision ?? null);
  // New changes must not displace the part that the user is reading.
  useEffect(() => {
    if (shownTo.value === null) show();
  }, [newest]);
  const last = shownTo.value ?? Number.POSITIVE_INFINITY;
  const all = known?.filter(({ revision }) => revision <= last) ?? null;
  const open = place.value.values['revision'] ?? '';
  return (
    <>
      <Heading title="Changes">
        {newest !== undefined && newest > last && (
          <button type="button" onClick={show}>
            Show {count((known ?? []).filter(({ revision }) => revision > last).length, 'newer change')}
          </button>
        )}
      </Heading>
      {all === null && <Empty>Your token cannot read the history.</Empty>}
      {all?.length === 1 && <Empty>No changes since the server started. Each change adds an entry here.</Empty>}
      <ol class="timeline">
        {all?.map((each, index) => (
          <OneChange
            key={each.revision}
            change={each}
            previous={all[index + 1]?.revision ?? null}
            inForce={each.revision === newest}
            onGone={() => void readHistory().then(show)}
            open={open === String(each.revision)}
            onToggle={() => adjust({ revision: open === String(each.revision) ? '' : String(each.revision) })}
          />
        ))}
      </ol>
    </>
  );
}

interface OneChangeProps {
  readonly change: Revision;
  /** Previous revision; `null` if no longer available. */
  readonly previous: number | null;
  readonly inForce: boolean;
  /** Called after a rollback. */
  readonly onGone: () => void;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function OneChange({ change, previous, inForce: isCurrent, onGone, open, onToggle }: OneChangeProps) {
  const { revision, time, origin, by, confirm_by: deadline } = change;
  return (
    <li>
      <Card
        title={`Revision ${revision}`}
        side={
          <>
            {isCurrent && (
              <State health={deadline === undefined ? 'ok' : 'warn'}>
                {deadline === undefined ? 'Current' : 'Not confirmed'}
              </State>
            )}
            <button type="button" aria-expanded={open} onClick={onToggle}>
              {open ? 'Hide changes' : 'Show changes'}
            </button>
            {isCurrent && previous !== null && deadline === undefined && (
              <RollBack revision={previous} label="Undo this change" onGone={onGone} />
            )}
          </>
        }
      >
        <div class="pad">
          <Brief change={change} />
          <div class="soft">
            <time dateTime={time}>{localDateTime(time)}</time>
            {` (${relative(time)}) · ${by === undefined ? '' : `${by}, `}${originText(origin)}`}
          </div>
        </div>
        {open && <Details change={change} previous={previous} />}
        {open && !isCurrent && <WayBack revision={revision} onGone={onGone} />}
      </Card>
    </li>
  );
}

/** Shows the patch with old and new values. The old values are from the previous revision. */
function Details({ change: { patch }, previous }: { change: Revision; previous: number | null }) {
  const { value, problem } = useRead<{ readonly document: Json }>(
    previous === null ? null : calls.revision({ revision: previous }),
  );
  if (previous !== null && value === null && problem === null) return <p class="pad soft">Loading…</p>;
  return (
    <>
      {(previous === null || problem !== null) && (
        <p class="pad soft">Old values are not available{problem === null ? '' : `: ${problem}`}.</p>
      )}
      <Differences operations={patch} base={value?.document} />
    </>
  );
}

function WayBack({ revision, onGone }: { revision: number; onGone: () => void }) {
  const busy = useSignal(false);
  const take = async (): Promise<void> => {
    if (!mayDiscard()) return;
    busy.value = true;
    try {
      const { json } = await ask(calls.revision({ revision }));
      rebase((json as { readonly document: Json }).document);
      say('ok', `The draft is now revision ${revision}. Nothing has been applied yet.`);
    } catch (error) {
      say('bad', reasonOf(error));
    }
    busy.value = false;
  };
  return (
    <div class="row pad">
      <RollBack revision={revision} label={`Roll back to revision ${revision}`} onGone={onGone} />
      <button
        type="button"
        disabled={busy.value || root.value.length > 0 || inForce.value.value === undefined}
        onClick={() => void take()}
      >
        Copy to draft
      </button>
    </div>
  );
}

interface RollBackProps {
  readonly revision: number;
  readonly label: string;
  readonly onGone: () => void;
}

function RollBack({ revision, label, onGone }: RollBackProps) {
  return (
    <Action
      label={label}
      kind="danger"
      call={calls.goBack({ revision })}
      sure={`Roll back to the configuration of revision ${revision}? It takes effect immediately.`}
      done={`Rolled back to revision ${revision}`}
      onDone={onGone}
    />
  );
}

function Brief({ change: { patch } }: { change: Revision }) {
  const [first] = patch;
  if (first === undefined) return <div>No differences</div>;
  const verbs = { add: 'Added', remove: 'Removed', replace: 'Changed', test: 'Tested', move: 'Moved', copy: 'Copied' };
  return (
    <div>
      {verbs[first.op]} <PlaceName path={parsePointer(first.path)} document={inForce.value.value} />
      {patch.length > 1 && ` and ${count(patch.length - 1, 'other value')}`}
    </div>
  );
}

/** Origins other than admin API calls. */
const origins: Readonly<Record<string, string>> = {
  file: 'configuration file',
  command: 'command line',
  resume: 'saved configuration, at startup',
  load: 'loaded by the program',
  loader: 'configuration loader (admin.config.load)',
  reload: 'configuration file reload',
  upgrade: 'process upgrade',
  fleet: 'fleet',
};

function originText(origin: string): string {
  return origins[origin] ?? origin.replace(/^undo of/, 'Auto-rollback of');
}
