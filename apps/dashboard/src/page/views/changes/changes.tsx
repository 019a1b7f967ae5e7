/** What was applied: when, by whom, what it changed, and the way back. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask, reasonOf } from '../../api/client.ts';
import { calls } from '../../api/calls.ts';
import { count, relative } from '../../base/format.ts';
import type { Json } from '../../base/json.ts';
import { parsePointer, whereOf } from '../../base/paths.ts';
import { Action } from '../../parts/action.tsx';
import { Card, Empty, Heading, State } from '../../parts/basic.tsx';
import { inForce, rebase, root } from '../../state/configuration.ts';
import { readHistory, revisions, type Revision } from '../../state/history.ts';
import { adjust, place } from '../../state/location.ts';
import { say } from '../../state/notices.ts';
import { Differences } from '../../parts/differences.tsx';

/** The view. */
export function Changes() {
  const known = revisions.value;
  const newest = known?.[0]?.revision;
  const shownTo = useSignal<number | null>(null);
  const show = (): void => void (shownTo.value = revisions.value?.[0]?.revision ?? null);
  // What comes while the list is read must not push it away.
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
            Show newer changes
          </button>
        )}
      </Heading>
      {all === null && <Empty>The history cannot be read with this token.</Empty>}
      {all?.length === 1 && (
        <Empty>This start is the first entry. Each change of the configuration will be another.</Empty>
      )}
      <ol class="timeline">
        {all?.map((each) => (
          <OneChange
            key={each.revision}
            change={each}
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

function OneChange({
  change,
  inForce: isCurrent,
  onGone,
  open,
  onToggle,
}: {
  readonly change: Revision;
  readonly inForce: boolean;
  /** Called when the server went back to it. */
  readonly onGone: () => void;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const { revision, time, origin, by, patch, confirm_by: deadline } = change;
  return (
    <li>
      <Card
        title={`Revision ${revision}`}
        side={
          <>
            {isCurrent && (
              <State health={deadline === undefined ? 'ok' : 'warn'}>
                {deadline === undefined ? 'in force' : 'on trial'}
              </State>
            )}
            <button type="button" aria-expanded={open} onClick={onToggle}>
              {open ? 'Less' : 'What it changed'}
            </button>
          </>
        }
      >
        <div class="pad">
          <div>{briefOf(change)}</div>
          <div class="soft">
            {`${by === undefined ? origin : `${by}, ${origin}`} · `}
            <time dateTime={time} title={time}>
              {relative(time)}
            </time>
          </div>
        </div>
        {open && <Differences operations={patch} base={undefined} />}
        {open && !isCurrent && <WayBack revision={revision} onGone={onGone} />}
      </Card>
    </li>
  );
}

function WayBack({ revision, onGone }: { revision: number; onGone: () => void }) {
  const busy = useSignal(false);
  const take = async (): Promise<void> => {
    busy.value = true;
    try {
      const { json } = await ask(calls.revision({ revision }));
      rebase((json as { readonly document: Json }).document);
      say('ok', `Revision ${revision} is in the draft; nothing is applied yet`);
    } catch (error) {
      say('bad', reasonOf(error));
    }
    busy.value = false;
  };
  return (
    <div class="row pad">
      <button
        type="button"
        disabled={busy.value || root.value.length > 0 || inForce.value.value === undefined}
        onClick={() => void take()}
      >
        Put it into the draft
      </button>
      <Action
        label="Go back to it"
        kind="danger"
        call={calls.goBack({ revision })}
        sure={`Go back to the configuration of revision ${revision}? It is in force at once.`}
        done={`The configuration is that of revision ${revision} again`}
        onDone={onGone}
      />
    </div>
  );
}

function briefOf({ patch }: Revision): string {
  const [first] = patch;
  if (first === undefined) return 'Nothing differs.';
  const where = whereOf(parsePointer(first.path)) || 'the whole configuration';
  const verb = { add: 'Added', remove: 'Removed', replace: 'Replaced', test: 'Tested', move: 'Moved', copy: 'Copied' }[
    first.op
  ];
  return `${verb} ${where}${patch.length === 1 ? '' : ` and ${count(patch.length - 1, 'more place')}`}`;
}
