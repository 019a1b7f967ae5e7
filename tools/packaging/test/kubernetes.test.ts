/** Validates the Kubernetes manifests against the API definitions. As in a cluster, unknown fields are errors. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import { workspaceRoot } from '../src/workspace.ts';
import { faultsOf, type Manifest } from './kubernetes-definitions.ts';

/** Parses the manifests in a YAML text. Throws on duplicate keys and other errors. */
function manifestsOf(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    for (const error of document.errors) throw error;
    return document.toJS() as Manifest;
  });
}

describe('packaging and Kubernetes manifests', () => {
  const text = readFileSync(join(workspaceRoot, 'tools/packaging/kubernetes/sluice.yaml'), 'utf8');

  it('the Kubernetes manifests are valid', () => {
    const manifests = manifestsOf(text);
    expect(manifests.map(({ kind }) => kind)).to.deep.equal([
      'ConfigMap',
      'Deployment',
      'Service',
      'PodDisruptionBudget',
    ]);
    for (const manifest of manifests) expect(faultsOf(manifest)).to.deep.equal([]);
  });

  for (const [what, right, wrong, fault] of [
    ['an unknown field', 'periodSeconds: 1', 'periodSecond: 1', 'periodSecond'],
    ['a string instead of a number', 'replicas: 2', 'replicas: "2"', 'must be integer'],
    ['an API version without this kind', 'apiVersion: apps/v1', 'apiVersion: apps/v2', 'no Deployment in apps/v2'],
    ['a missing required field', '- name: sluice\n          image', '- image', "must have required property 'name'"],
  ] as const)
    it(`the validation of Kubernetes manifests rejects ${what}`, () => {
      expect(text).to.contain(right);
      const faults = manifestsOf(text.replace(right, wrong)).flatMap(faultsOf);
      expect(faults.join('\n')).to.contain(fault);
    });
});
