/** A kind with every list and map type, written once: as a resource of ours and as a CustomResourceDefinition. */
import Type, { type TSchema } from 'typebox';
import { defineApi, defineResource, version } from '../../packages/server/src/index.ts';
import type { Json, JsonObject } from './step.ts';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
});
const list = (items: Json, type?: 'atomic' | 'set'): JsonObject => ({
  type: 'array',
  items,
  ...(type && { 'x-kubernetes-list-type': type }),
});
const mapList = (keys: readonly string[], items: JsonObject): JsonObject => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const mapOf = (additionalProperties: Json, atomic = false): JsonObject => ({
  type: 'object',
  additionalProperties,
  ...(atomic && { 'x-kubernetes-map-type': 'atomic' }),
});
const KEEP = { 'x-kubernetes-preserve-unknown-fields': true } as const;
const ATOMIC = { 'x-kubernetes-map-type': 'atomic' } as const;

const check = object({ name: text, seconds: integer }, { required: ['name'] });

const common: JsonObject = {
  replicas: { type: 'integer', format: 'int32' },
  text,
  integer,
  number: { type: 'number' },
  flag: { type: 'boolean' },
  long: { type: 'integer', format: 'int64' },
  maybe: { type: 'string', nullable: true },
  when: { type: 'string', format: 'date-time' },
  port: { 'x-kubernetes-int-or-string': true },
  struct: object({ a: text, b: integer, deep: object({ x: text, y: text }) }),
  // Not of the spec itself: the original fills those in only when it reads an object that was scaled.
  defaulted: object({
    a: { ...integer, default: 5 },
    colour: { ...text, default: 'red' },
    b: text,
  }),
  nullableStruct: object({ a: text, b: text }, { nullable: true }),
  atomicStruct: object({ a: text, b: integer }, ATOMIC),
  list: list(text),
  structs: list(object({ a: text, b: integer }), 'atomic'),
  set: list(text, 'set'),
  numbers: list(integer, 'set'),
  ports: mapList(
    ['port', 'protocol'],
    object(
      {
        port: integer,
        protocol: { type: 'string', default: 'TCP' },
        name: text,
        tags: list(text, 'set'),
        checks: mapList(['name'], check),
      },
      { required: ['port'] },
    ),
  ),
  parts: mapList(
    ['name'],
    object(
      { name: text, value: text, struct: object({ a: text, b: text }), labels: mapOf(text) },
      { required: ['name'] },
    ),
  ),
  pieces: mapList(['id'], object({ id: integer, value: text }, { required: ['id'], ...ATOMIC })),
  labels: mapOf(text),
  atomicLabels: mapOf(text, true),
  byName: mapOf(object({ a: integer, b: text, set: list(text, 'set') })),
  setsByName: mapOf(list(text, 'set')),
  listsByName: mapOf(list(text)),
  free: { type: 'object', ...KEEP },
  anything: { ...KEEP },
  partlyFree: object({ known: object({ x: text }), parts: mapList(['name'], check) }, KEEP),
  template: { type: 'object', 'x-kubernetes-embedded-resource': true, ...KEEP },
};

/** A field of v1 is several fields of v2, and the other way round. */
export const specs: Readonly<Record<'v1' | 'v2', JsonObject>> = {
  v1: object({ ...common, changing: list(text, 'atomic'), changingMap: mapOf(text) }),
  v2: object({ ...common, changing: list(text, 'set'), changingMap: mapOf(text, true) }),
};

export const status: JsonObject = object({
  replicas: { type: 'integer', format: 'int32' },
  selector: text,
  phase: text,
  seen: list(text, 'set'),
  conditions: mapList(
    ['type'],
    object({ type: text, status: text, reason: text }, { required: ['type'] }),
  ),
});

const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.status.selector',
};

const schema = (source: JsonObject): TSchema => Type.Unsafe<unknown>(source);
const versionOf = (name: 'v1' | 'v2') =>
  version({
    fields: {
      spec: Type.Optional(schema(specs[name])),
      status: Type.Optional(schema(status)),
    },
  });

export const Mixture = defineResource({
  kind: 'Mixture',
  plural: 'mixtures',
  scope: 'Namespaced',
  storageVersion: 'v1',
  versions: { v1: versionOf('v1'), v2: versionOf('v2') },
  conversions: { v2: { toStorage: same, fromStorage: same } },
  subresources: { status: true, scale },
});

/** Conversion without a webhook: only the apiVersion changes. */
function same({
  apiVersion: _version,
  kind: _kind,
  metadata: _metadata,
  ...fields
}: object & {
  apiVersion?: unknown;
  kind?: unknown;
  metadata?: unknown;
}): object {
  return fields;
}

export const GROUP = 'apply.example.com';
export const api = defineApi({ group: GROUP, resources: [Mixture] });

export const crdName = `mixtures.${GROUP}`;
export const customResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: crdName },
  spec: {
    group: GROUP,
    scope: 'Namespaced',
    names: { kind: 'Mixture', listKind: 'MixtureList', plural: 'mixtures', singular: 'mixture' },
    versions: (['v1', 'v2'] as const).map((name) => ({
      name,
      served: true,
      storage: name === 'v1',
      schema: { openAPIV3Schema: object({ spec: specs[name], status }) },
      subresources: { status: {}, scale },
    })),
  },
};
