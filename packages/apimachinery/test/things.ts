/** The kind of the recorded histories: two versions with different names of some spec fields. */
import { FieldManager } from '../src/apply/field-manager.ts';
import { FieldSet } from '../src/apply/field-set.ts';
import type { KindVersions } from '../src/apply/ownership.ts';
import { objectType } from '../src/apply/schema-type.ts';
import { isMap } from '../src/apply/type.ts';
import type { KubeObject } from '../src/meta/object.ts';
import { historyFacts } from './apply-facts.ts';

export const group = 'example.com';
export const nowMs = Date.parse('2026-01-01T00:00:00Z');

const { fields, renames } = historyFacts;
const types = new Map(
  Object.entries(fields).map(([version, declared]) => [
    `${group}/${version}`,
    objectType(Object.entries(declared)),
  ]),
);

export interface Endpoint {
  readonly version?: string;
  readonly subresource?: string;
  readonly reset?: readonly string[];
  readonly nowMs?: () => number;
}

export function thingManager(endpoint: Endpoint = {}): FieldManager {
  const { version = 'v1', subresource = '', reset = [], nowMs: clock = () => nowMs } = endpoint;
  const apiVersion = `${group}/${version}`;
  const resetFields = FieldSet.of(...reset.map((name) => [`f:${name}`]));
  const versions: KindVersions = {
    type: (requested) => types.get(requested),
    convert: convertThing,
    resetFields: (requested) => (requested === apiVersion ? resetFields : FieldSet.empty),
  };
  const kind = { group, version, kind: 'Thing' };
  return new FieldManager({
    kind,
    subresource,
    versions,
    nowMs: clock,
    empty: emptyThing(version),
  });
}

export function emptyThing(version = 'v1'): KubeObject {
  return { apiVersion: `${group}/${version}`, kind: 'Thing', metadata: {} };
}

export function thing(spec: object, version = 'v1'): KubeObject {
  return { ...emptyThing(version), metadata: { name: 'n' }, spec };
}

export function convertThing(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const { spec } = object;
  if (!isMap(spec)) return { ...object, apiVersion };
  const back = new Map(Object.entries(namesIn(object.apiVersion)).map(([v1, name]) => [name, v1]));
  const names = namesIn(apiVersion);
  const members = Object.entries(spec).map(([name, value]) => {
    const inV1 = back.get(name) ?? name;
    return [names[inV1] ?? inV1, value] as const;
  });
  return { ...object, apiVersion, spec: Object.fromEntries(members) };
}

function namesIn(apiVersion: string): Readonly<Record<string, string>> {
  return renames[apiVersion.slice(group.length + 1)] ?? {};
}
