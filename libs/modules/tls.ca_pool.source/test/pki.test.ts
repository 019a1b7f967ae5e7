import { setTimeout as sleep } from 'node:timers/promises';
import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { authorityRenewed, register as registerPki } from '@sluice/pki-app';
import { ControlBus, threadBusToken } from '@sluice/threads';
import { silentLogger, type JsonObject } from '@sluice/base';
import type { Roles, Token } from '@sluice/registry';
import { MemoryStorage, type ProvisionOptions } from '@sluice/testing';
import { certificatesOf, pool, refused } from './support.ts';

/** Simulated threads that share a message bus within this process. */
const bus = new ControlBus(silentLogger);
const services = new Map<Token<unknown>, unknown>([[threadBusToken, bus]]);
const control: Roles = { control: true, traffic: false };
const traffic: Roles = { control: false, traffic: true };
const apps: JsonObject = { pki: { certificate_authorities: { second: { name: 'Second' } } } };

describe('tls.ca_pool.source.pki_root and pki_intermediate', () => {
  const storage = new MemoryStorage();
  const settings = (roles: Roles): Partial<ProvisionOptions> => ({
    register: [registerPki],
    services,
    roles,
    storage,
    apps,
  });
  const subjects = (certificates: readonly string[]): string[] =>
    certificates.map((pem) => new X509Certificate(pem).subject);

  it('pki CA pools contain their CA certificates in every thread', async () => {
    for (const provider of ['pki_root', 'pki_intermediate']) {
      const config = { provider, authority: ['second', 'local'] };
      const here = await pool(config, settings(control));
      const there = await pool(config, settings(traffic));
      expect(subjects(here.instance.certificates)[0]).to.match(
        provider === 'pki_root' ? /Second.*Root/ : /Second.*Intermediate/,
      );
      expect(here.instance.certificates).to.have.length(2);
      expect(there.instance.certificates).to.deep.equal(here.instance.certificates);
      await there.close();
      await here.close();
    }
  });

  it('pki CA pools contain the default CA even if the document has no pki app', async () => {
    const bare = { register: [registerPki], roles: control, storage: new MemoryStorage() };
    expect(await certificatesOf({ provider: 'pki_root', authority: ['local'] }, bare)).to.have.length(1);
  });

  it('pki CA pools are updated when a CA is renewed', async () => {
    const config = { provider: 'pki_intermediate', authority: ['second'] };
    const here = await pool(config, settings(control));
    const there = await pool(config, settings(traffic));
    bus.broadcast(authorityRenewed, { id: 'local', root: '', intermediate: 'not ours' });
    const [root = ''] = await certificatesOf({ provider: 'pki_root', authority: ['second'] }, settings(control));
    bus.broadcast(authorityRenewed, { id: 'second', root, intermediate: root });
    await sleep(0);
    for (const { instance, close } of [here, there]) {
      expect(instance.certificates).to.deep.equal([root]);
      await close();
    }
  });

  it('pki CA pools reject unknown CAs', async () => {
    expect(await refused({ provider: 'pki_root', authority: ['none'] }, settings(control))).to.match(
      /^apps\.host\.module\.authority: certificate authority "none" does not exist/,
    );
  });

  it('pki CA pools do not load their CA when a configuration is only validated', async () => {
    const empty = new MemoryStorage();
    const roles = { control: false, traffic: false };
    const rehearsal = { ...settings(roles), storage: empty };
    expect(await certificatesOf({ provider: 'pki_root', authority: ['local'] }, rehearsal)).to.deep.equal([]);
    expect(empty.values.size).to.equal(0);
  });
});
