/** Custom resources as Tables and metadata, and by fields that can be selected. */
import type { JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import { customRow, defined, get, given, list, patch, things } from './custom-resources-words.ts';
import { TABLE } from './words.ts';

const PARTIAL = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const PARTIALS = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** Everything that a column can show. */
const SHOWN: JsonObject = {
  type: 'object',
  properties: {
    text: { type: 'string' },
    whole: { type: 'integer' },
    number: { type: 'number' },
    flag: { type: 'boolean' },
    when: { type: 'string', format: 'date-time' },
    list: { type: 'array', items: { type: 'string' } },
    items: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer' } } },
    },
    map: { type: 'object', additionalProperties: { type: 'string' } },
    any: { 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const FULL: JsonObject = {
  text: 'a',
  whole: 7,
  number: 1.25,
  flag: true,
  when: '2901-02-03T04:05:06Z',
  list: ['x', 'y'],
  items: [
    { name: 'one', n: 1 },
    { name: 'two', n: 2 },
  ],
  map: { 'a.b/c': 'dotted', plain: 'p' },
  any: { deep: [1, { q: 'z' }] },
};

type ColumnWords = readonly [name: string, type: string, jsonPath: string, more?: JsonObject];

/** Two objects, one with everything and one with nothing, in a Table of these columns. */
function columns(name: string, ...all: readonly ColumnWords[]): Row {
  const additionalPrinterColumns = all.map(([title, type, jsonPath, more = {}]) => ({
    name: title,
    type,
    jsonPath,
    ...more,
  }));
  return customRow(
    `columns: ${name}`,
    ...defined({ specSchema: SHOWN, version: { additionalPrinterColumns } }),
    given({
      metadata: { labels: { app: 'x' }, annotations: { 'example.com/a': 'b' } },
      spec: FULL,
    }),
    given({ spec: {} }, 'b'),
    list({ headers: { accept: TABLE } }),
  );
}

const tables: Row[] = [
  customRow(
    'columns: none',
    ...defined(),
    given({ spec: { size: 1 } }),
    list({ headers: { accept: TABLE } }),
    get({ headers: { accept: TABLE } }),
    list({ name: 'whole', headers: { accept: TABLE }, query: { includeObject: 'Object' } }),
    list({ name: 'none', headers: { accept: TABLE }, query: { includeObject: 'None' } }),
  ),
  columns(
    'of every type',
    ['Text', 'string', '.spec.text'],
    ['Whole', 'integer', '.spec.whole'],
    ['Number', 'number', '.spec.number'],
    ['Flag', 'boolean', '.spec.flag'],
    ['When', 'date', '.spec.when'],
    ['Age', 'date', '.metadata.creationTimestamp'],
  ),
  columns(
    'of other types than the values',
    ['T', 'integer', '.spec.text'],
    ['W', 'string', '.spec.whole'],
    ['N', 'integer', '.spec.number'],
    ['F', 'string', '.spec.flag'],
    ['D', 'date', '.spec.text'],
    ['B', 'boolean', '.spec.text'],
    ['X', 'number', '.spec.whole'],
  ),
  columns(
    'with formats, descriptions and priorities',
    ['A', 'string', '.spec.text', { format: 'byte', description: 'words', priority: 1 }],
    ['B', 'integer', '.spec.whole', { format: 'int32', priority: 0 }],
  ),
  columns(
    'of lists',
    ['All', 'string', '.spec.list'],
    ['First', 'string', '.spec.list[0]'],
    ['Each', 'string', '.spec.list[*]'],
    ['Last', 'string', '.spec.list[-1]'],
    ['Out', 'string', '.spec.list[9]'],
    ['Part', 'string', '.spec.list[0:1]'],
  ),
  columns(
    'of lists of objects',
    ['Names', 'string', '.spec.items[*].name'],
    ['Numbers', 'integer', '.spec.items[*].n'],
    ['Two', 'string', '.spec.items[?(@.n==2)].name'],
    ['Named', 'string', '.spec.items[?(@.name=="one")].n'],
    ['More', 'string', '.spec.items[?(@.n>1)].name'],
    ['Object', 'string', '.spec.items[0]'],
  ),
  columns(
    'of maps',
    ['Map', 'string', '.spec.map'],
    ['Plain', 'string', '.spec.map.plain'],
    ['Dotted', 'string', ".spec.map['a.b/c']"],
    ['Escaped', 'string', '.spec.map.a\\.b/c'],
    ['Every', 'string', '.metadata.labels.*'],
    ['Label', 'string', '.metadata.labels.app'],
    ['Annotation', 'string', '.metadata.annotations.example\\.com/a'],
  ),
  columns(
    'of anything',
    ['Any', 'string', '.spec.any'],
    ['Deep', 'string', '.spec.any.deep[1].q'],
    ['Down', 'string', '..q'],
    ['One', 'integer', '.spec.any.deep[0]'],
  ),
  columns(
    'of metadata',
    ['Name', 'string', '.metadata.name'],
    ['Space', 'string', '.metadata.namespace'],
    ['Kind', 'string', '.kind'],
    ['Version', 'string', '.apiVersion'],
    ['Generation', 'integer', '.metadata.generation'],
  ),
  customRow(
    'columns: of a status',
    ...defined({
      version: {
        subresources: { status: {} },
        additionalPrinterColumns: [
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          { name: 'Ready', type: 'integer', jsonPath: '.status.ready' },
        ],
      },
    }),
    given({}),
    patch(
      'merge',
      { status: { phase: 'New', ready: 0 } },
      { name: 'report', path: `${things()}/a/status`, setup: true },
    ),
    get({ headers: { accept: TABLE } }),
  ),
  customRow(
    'columns: watched',
    ...defined({
      version: {
        additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
      },
    }),
    given({ spec: { size: 1 } }),
    {
      name: 'watch',
      watch: {
        path: things(),
        query: { watch: '1', resourceVersion: '{rv:given-a}' },
        headers: { accept: TABLE },
      },
      during: [
        patch('merge', { spec: { size: 2 } }, { name: 'change', setup: true }),
        given({ spec: { size: 3 } }, 'b'),
      ],
      events: 2,
    },
  ),
  customRow(
    'metadata: of one, of all, watched',
    ...defined(),
    given({ metadata: { labels: { a: 'b' } }, spec: { size: 1 } }),
    get({ headers: { accept: PARTIAL } }),
    list({ headers: { accept: PARTIALS } }),
    {
      name: 'watch',
      watch: { path: things(), query: { watch: '1' }, headers: { accept: PARTIAL } },
      events: 1,
    },
  ),
];

const SELECTABLE = {
  version: {
    selectableFields: [
      { jsonPath: '.spec.size' },
      { jsonPath: '.spec.color' },
      { jsonPath: '.spec.on' },
    ],
  },
  specSchema: {
    type: 'object',
    properties: { size: { type: 'integer' }, color: { type: 'string' }, on: { type: 'boolean' } },
  },
};
const by = (fieldSelector: string, name: string) => list({ name, query: { fieldSelector } });

const selecting: Row[] = [
  customRow(
    'fields: selected',
    ...defined(SELECTABLE),
    given({ spec: { size: 1, color: 'red', on: true } }),
    given({ spec: { size: 2 } }, 'b'),
    given({}, 'c'),
    by('spec.size=1', 'whole'),
    by('spec.color!=red', 'not'),
    by('spec.color=', 'empty'),
    by('spec.on=true', 'flag'),
    by('spec.size=2,metadata.name=b', 'both'),
    by('spec.other=x', 'unknown'),
    by('metadata.namespace={ns}', 'space'),
  ),
  customRow('fields: watched', ...defined(SELECTABLE), given({ spec: { color: 'red' } }), {
    name: 'watch',
    watch: {
      path: things(),
      query: { watch: '1', resourceVersion: '{rv:given-a}', fieldSelector: 'spec.color=red' },
    },
    during: [
      patch('merge', { spec: { color: 'blue' } }, { name: 'leaves', setup: true }),
      patch('merge', { spec: { color: 'red' } }, { name: 'comes', setup: true }),
      given({ spec: { color: 'green' } }, 'b'),
    ],
    events: 2,
  }),
  customRow(
    'fields: deleted by',
    ...defined(SELECTABLE),
    given({ spec: { color: 'red' } }),
    given({ spec: { color: 'blue' } }, 'b'),
    list({ name: 'some', method: 'DELETE', query: { fieldSelector: 'spec.color=red' } }),
    list(),
  ),
];

export const customTables: RowGroup = {
  name: 'custom-resources-tables',
  rows: [...tables, ...selecting],
};
