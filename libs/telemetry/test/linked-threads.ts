/** Simulated threads for tests. Their buses are linked within one thread, and messages are copied. */
import { silentLogger } from '@sluice/base';
import { Channel, WorkerBus, type ControlBus, type ThreadPort } from '@sluice/threads';

/** Creates two linked ports that copy each message to the other port. */
function ports(): [ThreadPort, ThreadPort] {
  const receivers: ((message: unknown) => void)[] = [];
  const port = (own: number): ThreadPort => ({
    post: (message) => {
      const copy: unknown = structuredClone(message);
      setImmediate(() => receivers[1 - own]?.(copy));
    },
    receive: (listener) => {
      receivers[own] = listener;
    },
  });
  return [port(0), port(1)];
}

/** Attaches a worker to a control thread. Calling `die` terminates the worker. */
export function attachWorker(control: ControlBus, thread: number): { readonly bus: WorkerBus; die(): void } {
  const [here, there] = ports();
  const channel = new Channel(here, silentLogger);
  control.attach(thread, channel);
  const bus = new WorkerBus(thread, new Channel(there, silentLogger));
  bus.open(silentLogger);
  return {
    bus,
    die: () => {
      control.detach(thread);
      channel.close('it died');
    },
  };
}

/** Resolves when all sent messages have arrived. */
export async function delivered(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}
