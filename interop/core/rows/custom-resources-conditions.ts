/** The conditions of definitions, and their effects. */
import type { JsonObject } from '../../differential/json.ts';
import type { RequestStep, Row, RowGroup, Step } from '../../differential/row.ts';
import {
  customRow,
  DEFINITION,
  DEFINITIONS,
  defined,
  definition,
  GROUP,
  get,
  given,
  inGroup,
  list,
  patch,
  redefine,
  things,
  undefine,
  versionOf,
  wholeSchema,
} from './custom-resources-words.ts';
import { type More, PATCH_TYPES } from './words.ts';

const APPROVAL = 'api-approved.kubernetes.io';
const AGREED = 'https://example.com/agreed';
const PROTECTED = '{ns}.k8s.io';
const IN_PROTECTED = `${DEFINITIONS}/things.${PROTECTED}`;

function approvedBy(annotation: string | undefined, group = PROTECTED): JsonObject {
  const { metadata, ...rest } = definition({ group });
  const annotations = annotation === undefined ? {} : { [APPROVAL]: annotation };
  return { ...rest, metadata: { ...(metadata as JsonObject), annotations } };
}

function create(body: JsonObject, more: More = {}): RequestStep {
  return { name: 'crd', method: 'POST', path: DEFINITIONS, body, ...more };
}

function annotate(name: string, annotation: string | null): RequestStep {
  return {
    name,
    method: 'PATCH',
    path: IN_PROTECTED,
    headers: { 'content-type': PATCH_TYPES.merge },
    body: { metadata: { annotations: { [APPROVAL]: annotation } } },
  };
}

/** Changes the definition, and what is answered is compared. */
function redefined(name: string, change: JsonObject[]): RequestStep {
  const { setup: _, ...step } = redefine(change, name);
  return step;
}

function checked(name: string, until: string): RequestStep {
  return { name, path: IN_PROTECTED, until, view: 'conditions' };
}

/** The group is protected, so its documents are removed when the row ends. */
function inProtected(annotation: string, until: string, ...steps: readonly Step[]): Step[] {
  return [
    create(approvedBy(annotation), { setup: true }),
    { name: 'named', path: IN_PROTECTED, until: '"InitialNamesAccepted"', setup: true },
    checked('judged', until),
    ...steps,
    { name: 'cleaned', method: 'DELETE', path: IN_PROTECTED, setup: true },
    { name: 'clean', path: IN_PROTECTED, until: 404, setup: true },
  ];
}

const approving: Row[] = [
  customRow(
    'approval: agreed to',
    ...inProtected(
      AGREED,
      '"ApprovedAnnotation"',
      annotate('refuse', null),
      annotate('spoil', 'yes'),
      { ...annotate('bypass', 'unapproved, a test'), setup: true },
      checked('bypassed', '"UnapprovedAnnotation"'),
    ),
  ),
  customRow(
    'approval: not asked for, and served',
    ...inProtected(
      'unapproved, a test',
      '"UnapprovedAnnotation"',
      { name: 'served', path: things('v1', PROTECTED), until: 200 },
      { ...annotate('agree', AGREED), setup: true },
      checked('agreed', '"ApprovedAnnotation"'),
    ),
  ),
  ...(
    [
      ['missing', undefined],
      ['empty', ''],
      ['a word', 'yes'],
      ['a path', '/agreed'],
      ['without a host', 'https:///agreed'],
      ['not a URL', 'https://exa mple.com/agreed'],
    ] as const
  ).map(([name, annotation]) => customRow(`approval: ${name}`, create(approvedBy(annotation)))),
  ...(
    [
      ['of the other domain', `{ns}.kubernetes.io`],
      ['of a domain below', `a.{ns}.k8s.io`],
      ['of a domain that ends alike', `{ns}-k8s.io`],
      ['of any other domain', GROUP],
    ] as const
  ).map(([name, group]) =>
    customRow(
      `approval: ${name}`,
      create(approvedBy(undefined, group), { query: { dryRun: 'All' } }),
    ),
  ),
  customRow(
    'approval: of nobody’s group is no condition',
    create(approvedBy('yes', GROUP), { setup: true }),
    { name: 'judged', path: DEFINITION, until: '"InitialNamesAccepted"' },
  ),
];

const otherIn = (group: string) => `${DEFINITIONS}/others.${group}`;
const OTHER = otherIn(GROUP);
const others = things().replace('/things', '/others');
const other = (names: JsonObject, group = GROUP): RequestStep => ({
  name: 'other',
  method: 'POST',
  path: DEFINITIONS,
  body: definition({ group, names: { plural: 'others', kind: 'Other', ...names } }),
  setup: true,
});
const held = { metadata: { finalizers: ['example.com/hold'] } };

const naming: Row[] = [
  customRow(
    'names: kept by who is going',
    ...defined(),
    given(held),
    undefine(),
    { name: 'going', path: DEFINITION, until: 'InstanceDeletionInProgress', setup: true },
    get({ name: 'marked', until: 'deletionTimestamp', setup: true }),
    other({ kind: 'Thing' }),
    { name: 'refused', path: OTHER, until: '"ListKindConflict"' },
    list({ name: 'unserved', path: others }),
    patch('merge', { metadata: { finalizers: null } }, { name: 'let-go', setup: true }),
    { name: 'gone', path: DEFINITION, until: 404, setup: true },
    { name: 'accepted', path: OTHER, until: '"InitialNamesAccepted"' },
    list({ name: 'others', path: others, until: 200 }),
  ),
  customRow(
    'names: given up by who has them',
    ...defined({ names: { shortNames: ['tx'] } }),
    other({ shortNames: ['tx'] }),
    { name: 'refused', path: OTHER, until: '"ShortNamesConflict"', setup: true },
    redefine([{ op: 'remove', path: '/spec/names/shortNames' }]),
    { name: 'accepted', path: OTHER, until: '"InitialNamesAccepted"' },
    list({ name: 'others', path: others, until: 200 }),
  ),
  customRow(
    'names: of somebody else, wanted later, leave what was accepted',
    ...inGroup(
      'later',
      (group) => [
        other({ shortNames: ['ty'] }, group),
        { name: 'accepted', path: otherIn(group), until: '"InitialNamesAccepted"', setup: true },
        {
          ...redefine([{ op: 'replace', path: '/spec/names/shortNames', value: ['tx', 'tz'] }]),
          path: otherIn(group),
        },
        {
          name: 'refused',
          path: otherIn(group),
          until: '"ShortNamesConflict"',
          view: 'conditions',
        },
        { name: 'still-served', path: `/apis/${group}/v1/others`, until: 200 },
        {
          name: 'resources',
          path: `/apis/${group}/v1`,
          until: '"ty"',
          view: { resources: ['others'], groups: [] },
        },
        { name: 'cleaned-other', method: 'DELETE', path: otherIn(group), setup: true },
        { name: 'clean-other', path: otherIn(group), until: 404, setup: true },
      ],
      { names: { shortNames: ['tx'] } },
    ),
  ),
  customRow('names: of its own list', create(definition({ names: { listKind: 'Thing' } }))),
];

const stored = (...names: string[]): RequestStep => ({
  name: `stored-${names.join('-')}`,
  method: 'PATCH',
  path: `${DEFINITION}/status`,
  headers: { 'content-type': PATCH_TYPES.merge },
  body: { status: { storedVersions: names } },
});
const twoVersions = [
  versionOf('v1', wholeSchema()),
  versionOf('v2', wholeSchema(), { storage: false }),
];
const storeSecond = redefine(
  [
    { op: 'replace', path: '/spec/versions/0/storage', value: false },
    { op: 'replace', path: '/spec/versions/1/storage', value: true },
  ],
  'migrate',
);
const withoutFirst = (name: string) =>
  redefined(name, [{ op: 'remove', path: '/spec/versions/0' }]);

const storing: Row[] = [
  customRow(
    'stored versions: grow, and keep a version',
    ...defined({ versions: twoVersions }),
    given({ spec: { size: 1 } }),
    withoutFirst('only-stored'),
    storeSecond,
    { name: 'both', path: DEFINITION, until: '"storedVersions":["v1","v2"]' },
    withoutFirst('still-stored'),
    stored('v1'),
    stored('v2', 'v2'),
    stored('v2'),
    withoutFirst('dropped'),
    // Objects stored in an unknown version cannot be read.
    get({ name: 'left', path: `${things('v2')}/a`, until: 500 }),
    list({ name: 'gone', until: 404 }),
  ),
  customRow(
    'stored versions: back to the first',
    ...defined({ versions: twoVersions }),
    storeSecond,
    { name: 'both', path: DEFINITION, until: '"storedVersions":["v1","v2"]', setup: true },
    redefine(
      [
        { op: 'replace', path: '/spec/versions/0/storage', value: true },
        { op: 'replace', path: '/spec/versions/1/storage', value: false },
      ],
      'back',
    ),
    { name: 'after', path: DEFINITION },
  ),
];

/** Schemas of v1 are structural or refused: the condition that says otherwise is for objects of older releases. */
const structural: Row[] = [
  customRow(
    'schemas: no way to what is not structural',
    ...defined(),
    redefined('unknown', [{ op: 'add', path: '/spec/preserveUnknownFields', value: true }]),
    redefined('untyped', [
      { op: 'remove', path: '/spec/versions/0/schema/openAPIV3Schema/properties/spec/type' },
    ]),
    redefined('none', [{ op: 'remove', path: '/spec/versions/0/schema' }]),
    { name: 'after', path: DEFINITION, view: 'conditions' },
  ),
];

const API_SERVICE = '/apis/apiregistration.k8s.io/v1/apiservices/v1.{ns}.example.com';
/** An APIService for a group version with definitions takes it over. */
const claimed: Row[] = [
  customRow(
    'goes: while another server claims its only version',
    ...defined(),
    given({ spec: { size: 1 } }),
    {
      name: 'claim',
      method: 'PATCH',
      path: API_SERVICE,
      headers: { 'content-type': PATCH_TYPES.merge },
      body: {
        metadata: { labels: { 'kube-aggregator.kubernetes.io/automanaged': null } },
        spec: { service: { namespace: '{ns}', name: 'none' }, insecureSkipTLSVerify: true },
      },
      until: 200,
      setup: true,
    },
    list({ name: 'claimed', until: 503, setup: true }),
    undefine(),
    { name: 'gone', path: DEFINITION, until: 404 },
    { name: 'unclaim', method: 'DELETE', path: API_SERVICE, setup: true },
    create(definition(), { name: 'again', setup: true }),
    list({ name: 'empty', until: 200 }),
  ),
];

export const customConditions: RowGroup = {
  name: 'custom-resources-conditions',
  rows: [...approving, ...naming, ...storing, ...structural, ...claimed],
};
