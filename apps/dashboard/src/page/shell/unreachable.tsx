import { useEffect } from 'preact/hooks';
import { ask } from '../api/client.ts';
import { calls } from '../api/calls.ts';
import { unreachableSince } from '../api/reachable.ts';
import { clock } from '../base/format.ts';

/** Milliseconds between attempts. */
const every = 2000;

export function Unreachable() {
  const since = unreachableSince.value;
  const isUnreachable = since !== null;
  useEffect(() => {
    if (!isUnreachable) return undefined;
    const timer = setInterval(() => void ask(calls.who()).catch(() => undefined), every);
    return () => clearInterval(timer);
  }, [isUnreachable]);
  if (since === null) return null;
  return (
    <div class="banner unreachable" role="alert">
      <span>
        <span aria-hidden="true">■</span> The server has been unreachable since {clock(since)}. Reconnecting… This page
        shows the last known values.
      </span>
    </div>
  );
}
