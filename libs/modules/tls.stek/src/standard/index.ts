/** `tls.stek.standard`: session ticket keys that only this process uses. */
import { defineModule, options } from '@sluice/registry';
import { guarded, taskOf } from '@sluice/base';
import { ticketKeySources, type TicketKeySettings, type TicketKeySource } from '@sluice/tls-app';
import { rotated } from '../common/keys.ts';

export const standardModule = defineModule(ticketKeySources, {
  name: 'standard',
  help: 'Keeps TLS session ticket keys in memory and rotates them regularly.',
  config: options({}),
  provision: (): TicketKeySource => ({ start }),
});

async function start(
  { rotationInterval, maxKeys }: TicketKeySettings,
  changed: (keys: readonly Buffer[]) => void,
  signal: AbortSignal,
): Promise<readonly Buffer[]> {
  let keys = rotated([], maxKeys);
  if (rotationInterval > 0 && !signal.aborted) {
    const rotate = guarded(taskOf('tls.stek.standard'), () => {
      keys = rotated(keys, maxKeys);
      changed(keys);
    });
    const timer = setInterval(rotate, rotationInterval);
    timer.unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }
  return keys;
}
