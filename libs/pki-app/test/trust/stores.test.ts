import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { machineToken, register, rootCertificate, trustRoot, untrustRoot, type Machine } from '@sluice/pki-app';
import { Registry } from '@sluice/registry';
import { Runtime } from '@sluice/reconciler';
import { silentLogger } from '@sluice/base';
import { MemoryStorage, registerStorage } from '@sluice/testing';
import { bench } from '../support.ts';

/** A simulated machine whose files are in a directory and whose programs only record their invocations. */
class FakeMachine implements Machine {
  readonly platform: NodeJS.Platform;
  readonly root: string = mkdtempSync(join(tmpdir(), 'machine-'));
  readonly home: string = join(this.root, 'home');
  readonly calls: string[] = [];
  readonly programs: Set<string>;
  fails = '';

  constructor(platform: NodeJS.Platform, programs: readonly string[]) {
    this.platform = platform;
    this.programs = new Set(programs);
  }

  async has(command: string): Promise<boolean> {
    return this.programs.has(command);
  }

  async run(command: string, args: readonly string[]): Promise<void> {
    const call = [command, ...args].join(' ').replaceAll(this.root, '');
    this.calls.push(call.replace(/\/\S*\/([^/ ]+_\d+\.crt)/, '$1'));
    if (this.fails !== '' && call.includes(this.fails)) throw new Error(`${command} failed: no`);
  }

  file(path: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), '');
  }

  folder(path: string): void {
    mkdirSync(join(this.root, path), { recursive: true });
  }
}

describe('trust stores of the machine', () => {
  let pem: string;
  let machine: FakeMachine;
  before(async () => {
    const { runtime, storage, load } = bench();
    await load({ local: {} });
    pem = storage.values.get('pki/authorities/local/root.crt') ?? '';
    await runtime.close();
  });
  afterEach(() => rmSync(machine.root, { recursive: true, force: true }));

  const make = (platform: NodeJS.Platform, ...programs: readonly string[]): FakeMachine =>
    (machine = new FakeMachine(platform, programs));

  for (const [family, folder, ending, program, call] of [
    ['Debian', '/usr/local/share/ca-certificates', '.crt', 'update-ca-certificates', 'update-ca-certificates'],
    ['Fedora', '/etc/pki/ca-trust/source/anchors', '.pem', 'update-ca-trust', 'update-ca-trust extract'],
    ['Arch', '/etc/ca-certificates/trust-source/anchors', '.crt', 'trust', 'trust extract-compat'],
    ['SUSE', '/usr/share/pki/trust/anchors', '.crt', 'update-ca-certificates', 'update-ca-certificates'],
  ] as const) {
    it(`the trust store of ${family} installs a root certificate once and removes it`, async () => {
      make('linux', program).folder(folder);
      const root = rootCertificate(pem);
      const path = join(machine.root, folder, root.id + ending);
      for (let i = 0; i < 2; i++)
        expect(await trustRoot(root, machine)).to.deep.equal([{ store: `the system (${folder})`, error: null }]);
      expect(readFileSync(path, 'utf8')).to.equal(root.pem);
      expect(readdirSync(dirname(path))).to.have.length(1);
      for (let i = 0; i < 2; i++) expect((await untrustRoot(root, machine))[0]?.error).to.equal(null);
      expect(existsSync(path)).to.equal(false);
      expect(machine.calls).to.deep.equal([call, call, call, call]);
    });
  }

  // Labels are the same as Caddy's, so `caddy untrust` finds the installed root certificates.
  it('trust stores use the same label as Caddy for a root certificate, and find the labels of earlier versions', async () => {
    make('linux', 'update-ca-certificates').folder('/usr/local/share/ca-certificates');
    const root = rootCertificate(pem);
    const decimal = BigInt(`0x${new X509Certificate(pem).serialNumber}`);
    expect(root.label).to.equal(`${root.name} ${decimal}`);
    await trustRoot(root, machine);
    const folder = join(machine.root, '/usr/local/share/ca-certificates');
    expect(readdirSync(folder)).to.deep.equal([`${root.name.replaceAll(' ', '_')}_${decimal}.crt`]);
    writeFileSync(join(folder, `${root.formerId}.crt`), root.pem);
    writeFileSync(join(folder, 'other.crt'), root.pem);
    await untrustRoot(root, machine);
    expect(readdirSync(folder)).to.deep.equal(['other.crt']);
  });

  it('an unknown operating system has no trust store', async () => {
    expect(await trustRoot(rootCertificate(pem), make('linux'))).to.deep.equal([]);
  });

  it('trust stores report failures', async () => {
    make('linux', 'update-ca-certificates').folder('/usr/local/share/ca-certificates');
    const root = rootCertificate(pem);
    // The directory has the name of the file, so no user can write the file.
    machine.folder(`/usr/local/share/ca-certificates/${root.id}.crt`);
    expect((await trustRoot(root, machine))[0]?.error).to.match(/EISDIR/);
  });

  it('the trust stores of macOS and Windows use the system tools', async () => {
    const root = rootCertificate(pem);
    make('darwin');
    await trustRoot(root, machine);
    await untrustRoot(root, machine);
    const keychain = '/Library/Keychains/System.keychain';
    expect(machine.calls).to.deep.equal([
      `security add-trusted-cert -d -r trustRoot -k ${keychain} ${root.id}.crt`,
      `security remove-trusted-cert -d ${root.id}.crt`,
    ]);
    rmSync(machine.root, { recursive: true });
    make('win32');
    await trustRoot(root, machine);
    await untrustRoot(root, machine);
    expect(machine.calls).to.deep.equal([
      `certutil -addstore -f Root ${root.id}.crt`,
      `certutil -delstore Root ${root.serial}`,
    ]);
  });

  it('browser trust stores include every profile that has a certificate database', async () => {
    make('linux', 'certutil').file('home/.pki/nssdb/cert9.db');
    machine.file('home/.mozilla/firefox/abc.default/cert9.db');
    machine.folder('home/.mozilla/firefox/Crash Reports');
    const root = rootCertificate(pem);
    expect((await trustRoot(root, machine)).map(({ error }) => error)).to.deep.equal([null, null]);
    expect(machine.calls).to.deep.equal([
      `certutil -A -d sql:/home/.pki/nssdb -t C,, -n ${root.label} -i ${root.id}.crt`,
      `certutil -A -d sql:/home/.mozilla/firefox/abc.default -t C,, -n ${root.label} -i ${root.id}.crt`,
    ]);
    machine.calls.length = 0;
    machine.fails = '-L -d sql:/home/.pki/nssdb';
    await untrustRoot(root, machine);
    expect(machine.calls.filter((call) => call.includes('-D'))).to.deep.equal([
      `certutil -D -d sql:/home/.mozilla/firefox/abc.default -n ${root.label}`,
      `certutil -D -d sql:/home/.mozilla/firefox/abc.default -n ${root.formerId}`,
    ]);
  });

  it('trust stores report a missing program and continue with the other trust stores', async () => {
    make('linux', 'update-ca-certificates').file('home/.pki/nssdb/cert9.db');
    machine.folder('/usr/local/share/ca-certificates');
    const [system, browser] = await trustRoot(rootCertificate(pem), machine);
    expect(system?.error).to.equal(null);
    expect(browser?.error).to.match(/certutil is not installed; install the package libnss3-tools/);
  });

  it('trust stores accept only CA certificates', () => {
    make('linux');
    const leaf = readFileSync(new URL('leaf.pem', import.meta.url), 'utf8');
    expect(() => rootCertificate(leaf)).to.throw('not a CA certificate');
    expect(() => rootCertificate('x')).to.throw();
  });

  describe('trust stores and install_trust', () => {
    const load = async (authority: object): Promise<void> => {
      const registry = new Registry().use(registerStorage(new MemoryStorage())).use(register);
      const services = new Map([[machineToken as never, machine]]);
      const runtime = new Runtime({ registry, roles: { control: true, traffic: false }, log: silentLogger, services });
      const document = {
        storage: { module: 'memory' },
        apps: { pki: { certificate_authorities: { local: authority } } },
      };
      runtime.commit(await runtime.prepare(document as never));
      await new Promise((resolve) => setTimeout(resolve, 50));
      await runtime.close();
    };

    it('install_trust installs the root certificate after the commit, and only if enabled', async () => {
      make('linux', 'update-ca-certificates').folder('/usr/local/share/ca-certificates');
      await load({});
      expect(machine.calls).to.deep.equal([]);
      await load({ install_trust: true });
      expect(machine.calls).to.deep.equal(['update-ca-certificates']);
    });
  });
});
