/** Conversions between the versions of a Widget. Fields that `v1alpha1` lacks are stored in an annotation. */
import { decodeJson, JsonError, type ObjectMeta, stringifyJson } from '@tributary/apimachinery';
import type { Content, Conversion, VersionDefinition } from '../../src/index.ts';
import type { widgetV1, widgetV1alpha1, widgetV1beta1 } from './widget-versions.ts';

type ObjectOfVersion<V> = V extends VersionDefinition<infer Object> ? Object : never;
export type Widget = ObjectOfVersion<typeof widgetV1>;
type WidgetV1beta1 = ObjectOfVersion<typeof widgetV1beta1>;
type WidgetV1alpha1 = ObjectOfVersion<typeof widgetV1alpha1>;
type Spec = Widget['spec'];
type Port = NonNullable<Spec['ports']>[number];

/** Holds the fields of `spec` in `v1` that `v1alpha1` does not have, as JSON. */
export const REST_ANNOTATION = 'everything.example.com/v1-spec';

export const fromV1beta1: Conversion<WidgetV1beta1, Widget> = {
  toStorage: ({ spec: { appearance, count, ...rest }, status }) => ({
    spec: { ...present({ ...appearance, replicas: count }), ...rest },
    ...present({ status }),
  }),
  fromStorage: ({ spec: { colour, size, replicas, ...rest }, status }) => ({
    spec: {
      appearance: present({ colour, size }),
      ...present({ count: replicas }),
      ...rest,
    },
    ...present({ status }),
  }),
};

export const fromV1alpha1: Conversion<WidgetV1alpha1, Widget> = {
  toStorage: ({ metadata, spec: { color, count, ports, tags }, status }): Content<Widget> => {
    const { rest, metadata: bare } = takeRest(metadata);
    return {
      metadata: bare,
      spec: {
        ...present({
          colour: colourOf(color),
          replicas: count,
          ports: ports?.map((text) => portOf(text, rest.ports)),
          tags,
        }),
        ...withoutPorts(rest),
      },
      ...present({ status }),
    };
  },
  fromStorage: ({ metadata, spec, status }): Content<WidgetV1alpha1> => {
    const { colour, replicas, tags, ...rest } = spec;
    return {
      metadata: giveRest(metadata, rest),
      spec: present({
        color: colour,
        count: replicas,
        ports: rest.ports?.map(({ port, protocol = 'TCP' }) => `${port}/${protocol}`),
        tags,
      }),
      ...present({ status }),
    };
  },
};

function colourOf(color: string | undefined): Spec['colour'] {
  return color === 'green' || color === 'blue' || color === 'red' ? color : undefined;
}

/** Fields of a port that the old version lacks come from its previous state. */
function portOf(text: string, known: unknown): Port {
  const [number = '', protocol] = text.split('/');
  const key = { port: Number(number), protocol: protocol === 'UDP' ? 'UDP' : 'TCP' } as const;
  const same = (Array.isArray(known) ? known : []).find(
    (one) => isRecord(one) && one.port === key.port && (one.protocol ?? 'TCP') === key.protocol,
  );
  return (same as Port | undefined) ?? key;
}

function giveRest(metadata: ObjectMeta, rest: Partial<Spec>): ObjectMeta {
  if (Object.keys(rest).length === 0) return metadata;
  const annotations = { ...metadata.annotations, [REST_ANNOTATION]: stringifyJson(rest) };
  return { ...metadata, annotations };
}

function takeRest(metadata: ObjectMeta): { rest: Partial<Spec>; metadata: ObjectMeta } {
  const { [REST_ANNOTATION]: text, ...others } = metadata.annotations ?? {};
  if (text === undefined) return { rest: {}, metadata };
  const { annotations: _, ...bare } = metadata;
  const rest = Object.keys(others).length > 0 ? { ...bare, annotations: others } : bare;
  return { rest: parseRest(text), metadata: rest };
}

/** A client may write anything into an annotation; what cannot be read was not written by us, and says nothing. */
function parseRest(text: string): Partial<Spec> {
  try {
    const { value } = decodeJson(Buffer.from(text));
    return isRecord(value) ? (value as Partial<Spec>) : {};
  } catch (error) {
    if (error instanceof JsonError) return {};
    throw error;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutPorts({ ports: _, ...rest }: Partial<Spec>): Partial<Spec> {
  return rest;
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

/** The fields that are there: absent is not the same as undefined. */
function present<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>;
}
