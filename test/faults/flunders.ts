/** The objects that the writers write: all of an object follows from its token. */
import type { Item, Scope, Token } from './history.ts';

export const API_PATH = '/apis/wardle.example.com/v1alpha1';

export const COLOURS = ['red', 'green', 'blue'] as const;
export type Colour = (typeof COLOURS)[number];

/** `w3.17.red.200`: the writer, the number of its write, the value of the label, bytes of padding. */
export function makeToken(write: {
  writer: string;
  number: number;
  colour: Colour;
  paddingBytes: number;
}): Token {
  const { writer, number, colour, paddingBytes } = write;
  return `${writer}.${number}.${colour}.${paddingBytes}`;
}

export function colourOf(token: Token): string | undefined {
  return token.split('.')[2];
}

/** The path of a key's object; a key is `namespace/name`. */
export function objectPath(key: string): string {
  const [namespace, name] = key.split('/');
  return `${collectionPath(namespace)}/${name}`;
}

export function collectionPath(namespace?: string): string {
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${API_PATH}${place}/flunders`;
}

export function flunder(key: string, token: Token, resourceVersion?: string): object {
  const [namespace, name] = key.split('/');
  return {
    apiVersion: 'wardle.example.com/v1alpha1',
    kind: 'Flunder',
    metadata: {
      name,
      namespace,
      ...(resourceVersion !== undefined && { resourceVersion }),
      labels: { colour: colourOf(token) },
      annotations: { padding: paddingOf(token) },
    },
    spec: { reference: token, referenceType: 'Flunder' },
  };
}

/** Reads an object that a server sent. An object that differs from its token has a token that was never written. */
export function readItem(object: unknown): Item {
  const { metadata, spec } = object as {
    metadata: {
      name: string;
      namespace: string;
      resourceVersion: string;
      labels?: { colour?: string };
      annotations?: { padding?: string };
    };
    spec?: { reference?: string };
  };
  const { name, namespace, resourceVersion, labels, annotations } = metadata;
  const token = spec?.reference ?? '';
  const isWhole = labels?.colour === colourOf(token) && annotations?.padding === paddingOf(token);
  return {
    key: `${namespace}/${name}`,
    revision: Number(resourceVersion),
    token: isWhole ? token : `damaged ${token}`,
  };
}

function paddingOf(token: Token): string {
  const bytes = Number(token.split('.')[3]);
  return token.repeat(Math.ceil(bytes / token.length)).slice(0, bytes);
}

/** The scope of a list or a watch, and the same for the checker. */
export interface Selection {
  readonly namespace?: string;
  readonly query: Readonly<Record<string, string>>;
  readonly scope: Scope;
}

export function selectEverything(): Selection {
  return {
    query: {},
    scope: { name: 'everything', isByValue: false, selects: () => true },
  };
}

export function selectNamespace(namespace: string): Selection {
  const selects = (key: string) => key.startsWith(`${namespace}/`);
  return { namespace, query: {}, scope: { name: namespace, isByValue: false, selects } };
}

/** As a field selector over all namespaces. */
export function selectNamespaceField(namespace: string): Selection {
  const { scope } = selectNamespace(namespace);
  return { query: { fieldSelector: `metadata.namespace=${namespace}` }, scope };
}

export function selectOtherNames(name: string): Selection {
  const selects = (key: string) => !key.endsWith(`/${name}`);
  return {
    query: { fieldSelector: `metadata.name!=${name}` },
    scope: { name: `not ${name}`, isByValue: false, selects },
  };
}

export function selectColours(colours: readonly Colour[], namespace?: string): Selection {
  const isChosen = (token: Token) => colours.some((colour) => colour === colourOf(token));
  const isInPlace = (key: string) => namespace === undefined || key.startsWith(`${namespace}/`);
  return {
    ...(namespace !== undefined && { namespace }),
    query: { labelSelector: `colour in (${colours.join(', ')})` },
    scope: {
      name: `${colours.join(' or ')} in ${namespace ?? 'all namespaces'}`,
      isByValue: true,
      selects: (key, token) => isInPlace(key) && isChosen(token),
    },
  };
}
