import type { RequestStep, Row, RowGroup, Step } from '../row.ts';
import {
  FLUNDERS,
  flunder,
  get,
  given,
  PARTIAL,
  PARTIAL_LIST,
  post,
  put,
  remove,
  TABLE,
} from './wardle.ts';

function row(name: string, ...steps: Step[]): Row {
  return { name: `negotiation: ${name}`, covers: { feature: 'negotiation' }, steps };
}

const labelled = given('a', { metadata: { labels: { x: 'y' } } });

/** Without managedFields, so that texts can be compared before the server keeps them. */
const bare: readonly RequestStep[] = [
  labelled,
  put(
    'bare-a',
    'a',
    flunder('a', {
      metadata: { resourceVersion: '{rv:given-a}', labels: { x: 'y' }, managedFields: [{}] },
    }),
    { setup: true },
  ),
];

function accepting(
  name: string,
  accept: string,
  path = `${FLUNDERS}/a`,
  more: Partial<RequestStep> = {},
): Row {
  const before = accept.includes('yaml') ? bare : [labelled];
  return row(name, ...before, get('get', path, { headers: { accept }, ...more }));
}

const BETA_TABLE = 'application/json;as=Table;v=v1beta1;g=meta.k8s.io';
const big = { metadata: { annotations: { a: 'x'.repeat(140_000) } } };

export const negotiation: RowGroup = {
  name: 'negotiation',
  rows: [
    accepting('anything', '*/*'),
    accepting('JSON', 'application/json'),
    accepting('JSON with a charset', 'application/json;charset=utf-8'),
    accepting('YAML', 'application/yaml'),
    accepting('YAML list', 'application/yaml', FLUNDERS),
    accepting('the better one first', 'application/json;q=0.5,application/yaml'),
    accepting('an unknown form and then JSON', 'text/html,application/json'),
    accepting('an unknown form and then anything', 'text/html,*/*;q=0.1'),
    accepting('an unknown form', 'text/html'),
    accepting('an unknown form of a list', 'text/html', FLUNDERS),
    accepting('any application', 'application/*'),
    accepting('nonsense', 'nonsense'),
    accepting('an empty Accept', ''),
    accepting('indented by a parameter', 'application/json;pretty=1'),
    row(
      'YAML of an error',
      get('get', `${FLUNDERS}/a`, { headers: { accept: 'application/yaml' } }),
    ),
    row(
      'create answers YAML',
      post('create', flunder('a'), {
        query: { fieldManager: 'me' },
        headers: { accept: 'application/yaml', 'content-type': 'application/json' },
      }),
    ),
    accepting('Table of an object', TABLE),
    accepting('Table of a list', TABLE, FLUNDERS),
    accepting('Table of v1beta1', BETA_TABLE, FLUNDERS),
    accepting('what kubectl accepts', `${TABLE},${BETA_TABLE},application/json`, FLUNDERS, {
      query: { limit: '500' },
    }),
    accepting(
      'Table of an unknown version',
      'application/json;as=Table;v=v9;g=meta.k8s.io',
      FLUNDERS,
    ),
    accepting(
      'Table of an unknown version, then JSON',
      'application/json;as=Table;v=v9;g=meta.k8s.io,application/json',
      FLUNDERS,
    ),
    accepting('Table as YAML', 'application/yaml;as=Table;v=v1;g=meta.k8s.io', FLUNDERS),
    accepting('Table without objects', TABLE, FLUNDERS, { query: { includeObject: 'None' } }),
    accepting('Table with whole objects', TABLE, FLUNDERS, { query: { includeObject: 'Object' } }),
    accepting('Table with metadata', TABLE, FLUNDERS, { query: { includeObject: 'Metadata' } }),
    accepting('Table with nonsense', TABLE, FLUNDERS, { query: { includeObject: 'Nonsense' } }),
    row('Table of nothing', get('get', FLUNDERS, { headers: { accept: TABLE } })),
    row(
      'Table of pages',
      given('a'),
      given('b'),
      get('get', FLUNDERS, { headers: { accept: TABLE }, query: { limit: '1' } }),
    ),
    row('Table of an error', get('get', `${FLUNDERS}/a`, { headers: { accept: TABLE } })),
    row(
      'Table of a created object',
      post('create', flunder('a'), {
        headers: { accept: TABLE, 'content-type': 'application/json' },
      }),
    ),
    row(
      'Table of a deleted object',
      given('a'),
      remove('delete', 'a', { headers: { accept: TABLE } }),
    ),
    accepting('PartialObjectMetadata', PARTIAL),
    accepting(
      'PartialObjectMetadata of v1beta1',
      'application/json;as=PartialObjectMetadata;v=v1beta1;g=meta.k8s.io',
    ),
    accepting('PartialObjectMetadata of a list', PARTIAL, FLUNDERS),
    accepting('PartialObjectMetadataList', PARTIAL_LIST, FLUNDERS),
    accepting('PartialObjectMetadataList of an object', PARTIAL_LIST),
    accepting(
      'PartialObjectMetadata as YAML',
      'application/yaml;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    ),
    accepting('an unknown transformation', 'application/json;as=Poem;v=v1;g=meta.k8s.io'),
    accepting('a stream of one object', 'application/json;stream=watch'),
    row(
      'gzip of a small answer',
      given('a'),
      get('get', `${FLUNDERS}/a`, { headers: { 'accept-encoding': 'gzip' } }),
    ),
    row(
      'gzip of a large answer',
      given('a', big),
      get('get', `${FLUNDERS}/a`, { headers: { 'accept-encoding': 'gzip' } }),
    ),
    row(
      'gzip among others',
      given('a', big),
      get('get', `${FLUNDERS}/a`, { headers: { 'accept-encoding': 'br, gzip, deflate' } }),
    ),
    row('a large answer as it is', given('a', big), get('get', `${FLUNDERS}/a`)),
  ],
};
