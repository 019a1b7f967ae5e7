import { expect } from 'chai';
import type { ThreadBus } from '@sluice/threads';
import { CertificateChanges } from '../../src/automation/certificate-changes.ts';
import type { Certificate } from '../../src/certificates/certificate.ts';
import type { CertificateChanges as Message } from '../../src/certificates/messages.ts';

const certificate = (hash: string): Certificate => ({ hash }) as Certificate;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('CertificateChanges', () => {
  const start = (): { changes: CertificateChanges; sent: string[] } => {
    const sent: string[] = [];
    const broadcast = (_topic: unknown, { added, removed }: Message): void => {
      sent.push([...added.map(({ hash }) => `+${hash}`), ...removed.map((hash) => `-${hash}`)].join(' '));
    };
    return { changes: new CertificateChanges({ broadcast } as Pick<ThreadBus, 'broadcast'> as ThreadBus), sent };
  };

  it('CertificateChanges sends changes of one event loop turn together', async () => {
    const { changes, sent } = start();
    changes.add(certificate('a'));
    changes.remove('b');
    changes.add(certificate('c'));
    await turn();
    changes.add(certificate('d'));
    await turn();
    expect(sent).to.deep.equal(['+a +c -b', '+d']);
  });

  it('CertificateChanges sends changes of a task together, regardless of the duration of the task', async () => {
    const { changes, sent } = start();
    const one = changes.batch(async () => {
      for (let i = 0; i < 5; i++) {
        changes.add(certificate(`one${i}`));
        await turn();
      }
    });
    await changes.batch(async () => {
      changes.add(certificate('two'));
      await turn();
    });
    expect(sent).to.deep.equal([]);
    await one;
    expect(sent).to.deep.equal(['+one0 +two +one1 +one2 +one3 +one4']);
  });

  it('CertificateChanges sends changes of a task early when publish is called', async () => {
    const { changes, sent } = start();
    await changes.batch(async () => {
      changes.add(certificate('a'));
      changes.publish();
      changes.add(certificate('b'));
      await turn();
      expect(sent).to.deep.equal(['+a']);
    });
    expect(sent).to.deep.equal(['+a', '+b']);
  });

  it('CertificateChanges sends the changes that a task made before it failed', async () => {
    const { changes, sent } = start();
    const failed = changes.batch(() => {
      changes.add(certificate('a'));
      return Promise.reject(new Error('no'));
    });
    await failed.catch(() => undefined);
    expect(sent).to.deep.equal(['+a']);
  });
});
