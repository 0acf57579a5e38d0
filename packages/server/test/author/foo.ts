/** A kind that was restructured: v2, the storage version, has fields for an image and a status. */
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { defineApi, defineResource, version } from '../../src/index.ts';

const Message = {
  msg: Type.String({ minLength: 1, description: 'Says hello.' }),
  description: Type.Optional(Type.String({ description: 'Says more.' })),
};

const FooStatus = Type.Object({
  phase: Type.Optional(Type.Enum(['Processing', 'Ready'])),
  conditions: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.String(),
        status: Type.Enum(['True', 'False', 'Unknown']),
        message: Type.Optional(Type.String()),
      }),
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
    ),
  ),
});

/** An annotation of v1 contains the fields that v1 does not have. */
const ONLY_V2 = 'hello.zeng.dev/only-v2';
const OnlyV2 = Type.Object({
  image: Type.Optional(Type.String()),
  status: Type.Optional(FooStatus),
});
const DEFAULT_IMAGE = 'busybox:1.36';

export const Foo = defineResource({
  kind: 'Foo',
  plural: 'foos',
  shortNames: ['fo'],
  scope: 'Namespaced',
  storageVersion: 'v2',
  versions: {
    v1: version({ spec: Type.Object(Message) }),
    v2: version({
      spec: Type.Object({
        image: Type.String({ default: DEFAULT_IMAGE }),
        config: Type.Object(Message),
      }),
      status: FooStatus,
      columns: [
        { name: 'Status', cell: ({ status }) => status?.phase ?? '' },
        { name: 'Message', cell: ({ spec }) => spec.config.msg },
        { name: 'Image', priority: 1, cell: ({ spec }) => spec.image },
      ],
    }),
  },
  conversions: {
    v1: {
      toStorage: ({ metadata, spec }) => {
        const { annotations: { [ONLY_V2]: text, ...annotations } = {}, ...rest } = metadata;
        const { image = DEFAULT_IMAGE, status } = parseOnlyV2(text);
        return {
          metadata: { ...rest, ...(Object.keys(annotations).length > 0 && { annotations }) },
          spec: { image, config: spec },
          ...(status !== undefined && { status }),
        };
      },
      fromStorage: ({ metadata, spec: { image, config }, status }) => {
        const only = {
          ...(image !== DEFAULT_IMAGE && { image }),
          ...(status !== undefined && { status }),
        };
        if (Object.keys(only).length === 0) return { spec: config };
        const annotations = { ...metadata.annotations, [ONLY_V2]: JSON.stringify(only) };
        return { metadata: { ...metadata, annotations }, spec: config };
      },
    },
  },
  subresources: { status: true },
});

export const hello = defineApi({ group: 'hello.zeng.dev', resources: [Foo] });

/** Clients may write anything into an annotation; an invalid one is ignored. */
function parseOnlyV2(text: string | undefined): Static<typeof OnlyV2> {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    return Value.Check(OnlyV2, parsed) ? parsed : {};
  } catch {
    return {};
  }
}
