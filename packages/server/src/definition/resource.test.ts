import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import Type from 'typebox';
import { allow, forbid } from './admission.ts';
import { defineResource } from './resource.ts';
import { version } from './version.ts';

const alpha = version({ spec: Type.Object({ size: Type.String() }) });
const beta = version({
  spec: Type.Object({ bytes: Type.Integer() }),
  status: Type.Object({ used: Type.Integer() }),
});

const conversions = {
  v1alpha1: {
    toStorage: ({ spec }: { spec: { size: string } }) => ({ spec: { bytes: Number(spec.size) } }),
    fromStorage: ({ spec }: { spec: { bytes: number } }) => ({
      spec: { size: String(spec.bytes) },
    }),
  },
};

describe('defineResource', () => {
  it('types what an author writes by the schemas', () => {
    const Fence = defineResource({
      kind: 'Fence',
      plural: 'fences',
      scope: 'Cluster',
      versions: { v1: version({ fields: { lengths: Type.Array(Type.Integer()) } }) },
    });
    const Disk = defineResource({
      kind: 'Disk',
      plural: 'disks',
      scope: 'Namespaced',
      storageVersion: 'v1beta1',
      versions: { v1alpha1: alpha, v1beta1: beta },
      conversions: {
        v1alpha1: {
          toStorage: ({ spec }) => ({ spec: { bytes: Number(spec.size) } }),
          fromStorage: ({ spec }) => ({ spec: { size: spec.bytes.toFixed(0) } }),
        },
      },
      admit: {
        create: async ({ object, read }) =>
          (await read(Fence).list()).some(({ lengths }) => lengths?.includes(object.spec.bytes))
            ? forbid('too long')
            : allow,
        update: ({ object, oldObject }) =>
          object.spec.bytes < oldObject.spec.bytes ? forbid('disks only grow') : allow,
      },
      subresources: {
        status: true,
        actions: {
          grow: {
            body: Type.Object({ by: Type.Integer() }),
            run: async ({ object, body, update }) => {
              await update((disk) => ({ ...disk, spec: { bytes: object.spec.bytes + body.by } }));
              return undefined;
            },
          },
        },
        connections: {
          read: {
            methods: ['GET'],
            connect: async ({ object }) => ({
              kind: 'bytes',
              code: 200,
              contentType: 'text/plain',
              chunks: [Buffer.alloc(object.spec.bytes)],
            }),
          },
        },
      },
    });
    assert.deepEqual([...Disk.subresources.custom.keys()], ['grow', 'read']);
    assert.equal(Disk.subresources.status, true);
  });

  const base = { kind: 'Disk', plural: 'disks', scope: 'Cluster' } as const;
  const faults: readonly [what: string, define: () => unknown, message: RegExp][] = [
    [
      'no version',
      () => defineResource({ ...base, versions: {} }),
      /a resource needs at least one version/,
    ],
    [
      'an unknown storage version',
      // @ts-expect-error there is no such version
      () => defineResource({ ...base, versions: { v1: beta }, storageVersion: 'v2' }),
      /storageVersion v2 is not among its versions/,
    ],
    [
      'no storage version',
      () => defineResource({ ...base, versions: { v1alpha1: alpha, v1beta1: beta } }),
      /storageVersion must say which of its versions is stored/,
    ],
    [
      'a version without conversion',
      () =>
        defineResource({
          ...base,
          storageVersion: 'v1beta1',
          versions: { v1alpha1: alpha, v1beta1: beta },
          // @ts-expect-error a conversion is missing
          conversions: {},
        }),
      /version v1alpha1 has no conversion to v1beta1/,
    ],
    [
      'a rule in a version that is not stored',
      () =>
        defineResource({
          ...base,
          storageVersion: 'v1beta1',
          versions: {
            v1alpha1: version({ spec: Type.Object({ size: Type.String() }), validate: () => [] }),
            v1beta1: beta,
          },
          conversions,
        }),
      /validate of version v1alpha1 would never be asked; it belongs to v1beta1/,
    ],
    [
      'two subresources of one name',
      () =>
        defineResource({
          ...base,
          versions: { v1: beta },
          subresources: { actions: { scale: { run: async () => undefined } } },
        }),
      /there is more than one subresource scale/,
    ],
    [
      'a bad path',
      () =>
        defineResource({
          ...base,
          versions: { v1: beta },
          subresources: {
            scale: { specReplicasPath: 'spec.replicas', statusReplicasPath: '.status.replicas' },
          },
        }),
      /spec.replicas is no path of fields/,
    ],
    [
      'a verb that the home does not have',
      () =>
        defineResource({
          ...base,
          versions: { v1: beta },
          backing: { kind: 'computed', list: async () => [] },
          verbs: ['get'],
        }),
      /its home cannot get/,
    ],
  ];
  for (const [what, define, message] of faults) {
    it(`refuses ${what}`, () => {
      assert.throws(define, message);
    });
  }
});
