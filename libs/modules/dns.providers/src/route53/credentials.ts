/** Finds AWS credentials in options, the environment, or a profile in the shared configuration files. */
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { SluiceError } from '@sluice/base';
import type { Credentials, MachineCredentials } from './metadata.ts';

/** Options that determine the credentials. Each is empty if not set. */
export interface CredentialOptions extends Credentials {
  readonly profile: string;
}

/**
 * Finds the credentials for a request. Sources in order: options, the environment (unless a profile is set), the profile, the machine.
 * Files are read each time, because other programs replace temporary credentials.
 */
export async function findCredentials(
  options: CredentialOptions,
  machine: MachineCredentials,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Credentials> {
  if (options.accessKeyId !== '') return options;
  const { AWS_ACCESS_KEY_ID: id = '', AWS_SECRET_ACCESS_KEY: secret = '', AWS_SESSION_TOKEN: session = '' } = env;
  if (options.profile === '' && id !== '' && secret !== '')
    return { accessKeyId: id, secretAccessKey: secret, sessionToken: session };
  const profile = options.profile || env['AWS_PROFILE'] || 'default';
  const folder = join(env['HOME'] ?? homedir(), '.aws');
  const credentials = await sectionOf(env['AWS_SHARED_CREDENTIALS_FILE'] ?? join(folder, 'credentials'), profile);
  const name = profile === 'default' ? profile : `profile ${profile}`;
  const config = await sectionOf(env['AWS_CONFIG_FILE'] ?? join(folder, 'config'), name);
  const found = new Map([...config, ...credentials]);
  const [accessKeyId, secretAccessKey] = [found.get('aws_access_key_id'), found.get('aws_secret_access_key')];
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const own = options.profile === '' ? await machine.find(env) : null;
    if (own !== null) return own;
    throw new SluiceError(
      'ERR_DNS_PROVIDER',
      `route53: no credentials; set access_key_id and secret_access_key, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the profile ${JSON.stringify(profile)}`,
    );
  }
  return { accessKeyId, secretAccessKey, sessionToken: found.get('aws_session_token') ?? '' };
}

/** Returns the values in a section of an INI file. Returns an empty map if the file or section does not exist. */
async function sectionOf(file: string, section: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const values = new Map<string, string>();
  let current = '';
  for (const line of text.split('\n')) {
    const heading = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line);
    if (heading !== null) current = heading[1] ?? '';
    const [, name, value] = /^\s*([^#;=\s]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (current === section && name !== undefined && value !== undefined) values.set(name, value);
  }
  return values;
}
