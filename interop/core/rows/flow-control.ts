/** FlowSchemas and PriorityLevelConfigurations. */
import type { JsonObject } from '../../differential/json.ts';
import type { RowGroup } from '../../differential/row.ts';
import { FlowSchema, PriorityLevelConfiguration } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import {
  apply,
  collection,
  creates,
  get,
  given,
  list,
  OF_THE_ROW,
  object,
  patch,
  post,
  put,
  remove,
  row,
  TABLE,
} from './words.ts';

/** No user is in this group: the schemas of rows classify nothing. */
const nobody: JsonObject = { kind: 'Group', group: { name: '{ns}' } };
const anything: JsonObject = {
  verbs: ['*'],
  apiGroups: ['*'],
  resources: ['*'],
  clusterScope: true,
  namespaces: ['*'],
};
const schema = (more: JsonObject = {}): JsonObject => ({
  spec: { priorityLevelConfiguration: { name: 'global-default' }, ...more },
});
const ruled = (more: JsonObject): JsonObject =>
  schema({ rules: [{ subjects: [nobody], resourceRules: [anything], ...more }] });
const resource = (more: JsonObject): JsonObject =>
  ruled({ resourceRules: [{ ...anything, ...more }] });
const path = (more: JsonObject): JsonObject =>
  ruled({
    resourceRules: [],
    nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'], ...more }],
  });
const subject = (more: JsonObject): JsonObject => ruled({ subjects: [more] });

const least = object(FlowSchema, schema());
const full = schema({
  matchingPrecedence: 42,
  distinguisherMethod: { type: 'ByUser' },
  rules: [
    {
      subjects: [
        nobody,
        { kind: 'User', user: { name: '{ns}' } },
        { kind: 'ServiceAccount', serviceAccount: { name: 'a', namespace: '{ns}' } },
      ],
      resourceRules: [anything],
      nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x/*'] }],
    },
  ],
});
const asTable = { headers: { accept: TABLE } };

/** The status is written by a controller, at its own time, so no row asks for it. */
export const flowSchemas: RowGroup = {
  name: 'flowschemas',
  rows: [
    row(FlowSchema, 'create', 'the least, with its defaults', post(FlowSchema, least)),
    row(FlowSchema, 'create', 'every field', post(FlowSchema, object(FlowSchema, full))),
    row(FlowSchema, 'create', 'twice', given(FlowSchema, schema()), post(FlowSchema, least)),
    row(FlowSchema, 'create', 'as a Table', post(FlowSchema, object(FlowSchema, full), asTable)),
    row(FlowSchema, 'create', 'the least as a Table', post(FlowSchema, least, asTable)),
    row(
      FlowSchema,
      'create',
      'with an unknown field, refused',
      post(FlowSchema, { ...least, strange: 1 }, { query: { fieldValidation: 'Strict' } }),
    ),
    row(FlowSchema, 'delete', 'an object', given(FlowSchema, schema()), remove(FlowSchema)),
    row(FlowSchema, 'delete', 'a missing object', remove(FlowSchema)),
    row(FlowSchema, 'update', 'of a missing object', put(FlowSchema, {}, { body: least })),
    row(FlowSchema, 'deletecollection', 'of nothing', {
      name: 'clear',
      method: 'DELETE',
      path: collection(FlowSchema),
      query: OF_THE_ROW,
    }),
    row(FlowSchema, 'patch', 'apply creates', apply(FlowSchema, schema({ matchingPrecedence: 9 }))),
    ...creates(FlowSchema, {
      'without a level': { spec: {} },
      'with a level of a bad name': schema({ priorityLevelConfiguration: { name: 'Bad Name' } }),
      'with a status': { ...schema(), status: { conditions: [{ type: 'Dangling' }] } },
      'with a negative precedence': schema({ matchingPrecedence: -1 }),
      'with the precedence of exempt': schema({ matchingPrecedence: 1 }),
      'with a precedence that is too high': schema({ matchingPrecedence: 10001 }),
      'with an unknown distinguisher': schema({ distinguisherMethod: { type: 'ByMood' } }),
      'with an empty distinguisher': schema({ distinguisherMethod: {} }),
      'with an empty rule': schema({ rules: [{}] }),
      'with a rule without subjects': ruled({ subjects: [] }),
      'with a rule about nothing': ruled({ resourceRules: [] }),
      'with an empty resource rule': ruled({ resourceRules: [{}] }),
      'with an empty path rule': ruled({ nonResourceRules: [{}] }),
      'with an unknown verb': resource({ verbs: ['get', 'approve'] }),
      'with all verbs and one': resource({ verbs: ['get', '*'] }),
      'with all groups and one': resource({ apiGroups: ['', '*'] }),
      'with all resources and one': resource({ resources: ['pods', '*'] }),
      'with all namespaces and one': resource({ namespaces: ['x', '*'] }),
      'with a bad namespace': resource({ namespaces: ['Bad', 'ok', 'Worse!'] }),
      'without namespaces': resource({ namespaces: [] }),
      'in the cluster only': resource({ namespaces: [], clusterScope: true }),
      'without namespaces or cluster': resource({ namespaces: [], clusterScope: false }),
      'with an unknown verb of paths': path({ verbs: ['post'] }),
      'with all paths and one': path({ nonResourceURLs: ['/x', '*'] }),
      'with bad paths': path({
        nonResourceURLs: ['', 'x', '/a b', '/a//b', '/a*', '/*/b', '/*/*', '/', '/ok/*'],
      }),
      'with a user': subject({ kind: 'User', user: { name: '{ns}' } }),
      'with a user without a name': subject({ kind: 'User', user: {} }),
      'with a user that is missing': subject({ kind: 'User' }),
      'with a user that is also a group': subject({
        kind: 'User',
        user: { name: '{ns}' },
        group: { name: 'x' },
        serviceAccount: { name: 'x', namespace: 'y' },
      }),
      'with a group that is missing': subject({ kind: 'Group' }),
      'with a group without a name': subject({ kind: 'Group', group: {} }),
      'with a group that is also a user': subject({
        kind: 'Group',
        group: { name: '{ns}' },
        user: { name: 'x' },
        serviceAccount: { name: 'x', namespace: 'y' },
      }),
      'with all accounts of a namespace': subject({
        kind: 'ServiceAccount',
        serviceAccount: { name: '*', namespace: '{ns}' },
      }),
      'with an account without anything': subject({ kind: 'ServiceAccount', serviceAccount: {} }),
      'with an account that is missing': subject({ kind: 'ServiceAccount' }),
      'with a bad account': subject({
        kind: 'ServiceAccount',
        serviceAccount: { name: 'Bad/Name', namespace: 'Bad' },
        user: { name: 'x' },
        group: { name: 'y' },
      }),
      'with a subject of another kind': subject({ kind: 'Robot' }),
      'with a precedence that is a text': schema({ matchingPrecedence: '7' }),
      'with rules that are an object': schema({ rules: {} }),
    }),
    row(
      FlowSchema,
      'patch',
      'to a bad precedence',
      given(FlowSchema, schema()),
      patch(FlowSchema, 'merge', { spec: { matchingPrecedence: -5 } }),
    ),
    row(
      FlowSchema,
      'list',
      'by an unknown field',
      list(FlowSchema, { query: { fieldSelector: 'spec.x=1' } }),
    ),
    row(FlowSchema, 'get', 'exempt, which is mandatory', {
      name: 'get',
      path: `${collection(FlowSchema)}/exempt`,
      view: 'shape',
    }),
    row(FlowSchema, 'patch', 'exempt, which is mandatory', {
      ...patch(FlowSchema, 'merge', { spec: { matchingPrecedence: 3 } }),
      path: `${collection(FlowSchema)}/exempt`,
    }),
    row(FlowSchema, 'patch', 'catch-all, which is mandatory', {
      ...patch(FlowSchema, 'merge', { spec: { distinguisherMethod: { type: 'ByNamespace' } } }),
      path: `${collection(FlowSchema)}/catch-all`,
    }),
    row(FlowSchema, 'get', 'a missing object', get(FlowSchema)),
    row(
      FlowSchema,
      'create',
      'as a dry run',
      {
        name: 'create',
        method: 'POST',
        path: collection(FlowSchema),
        query: { dryRun: 'All' },
        body: object(FlowSchema, schema({ matchingPrecedence: 77 })),
      },
      get(FlowSchema),
    ),
  ],
};

const limited = (more: JsonObject = {}): JsonObject => ({
  spec: {
    type: 'Limited',
    limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' }, ...more },
  },
});
const queued = (queuing: JsonObject): JsonObject =>
  limited({ limitResponse: { type: 'Queue', queuing } });

export const priorityLevels: RowGroup = {
  name: 'prioritylevelconfigurations',
  rows: [
    ...everyKind(PriorityLevelConfiguration, {
      minimal: limited(),
      full: limited({
        nominalConcurrencyShares: 2,
        lendablePercent: 50,
        borrowingLimitPercent: 10,
        limitResponse: {
          type: 'Queue',
          queuing: { queues: 16, handSize: 4, queueLengthLimit: 20 },
        },
      }),
      changed: limited({ nominalConcurrencyShares: 3 }),
      merge: { spec: { limited: { lendablePercent: 25 } } },
      json: [{ op: 'replace', path: '/spec/limited/nominalConcurrencyShares', value: 4 }],
      strategic: { spec: { limited: { limitResponse: { queuing: { handSize: 5 } } } } },
      applied: limited({ nominalConcurrencyShares: 5, lendablePercent: 5 }),
      wrongTypes: {
        'with shares that are a text': limited({ nominalConcurrencyShares: 'x' }),
        'with a limit that is a list': { spec: { type: 'Limited', limited: [] } },
        'with shares that are no integer': limited({ nominalConcurrencyShares: 1.5 }),
      },
    }),
    ...creates(PriorityLevelConfiguration, {
      'without a spec': {},
      'without shares': {
        spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
      },
      'with no shares': limited({ nominalConcurrencyShares: 0 }),
      'with negative shares': limited({ nominalConcurrencyShares: -1 }),
      'without a limit': { spec: { type: 'Limited' } },
      'with an empty limit': { spec: { type: 'Limited', limited: {} } },
      'of an unknown type': { spec: { type: 'Loose' } },
      'that is exempt': { spec: { type: 'Exempt' } },
      'that is exempt and limited': {
        spec: { type: 'Exempt', exempt: {}, limited: { limitResponse: { type: 'Reject' } } },
      },
      'that is limited and exempt': {
        spec: { type: 'Limited', exempt: {}, limited: { limitResponse: { type: 'Reject' } } },
      },
      'of an unknown type, exempt and limited': {
        spec: {
          type: 'Loose',
          exempt: {},
          limited: { limitResponse: { type: 'Shrug', queuing: { queues: 1 } } },
        },
      },
      'without a type, exempt and limited': {
        spec: { exempt: {}, limited: { limitResponse: { queuing: { queues: 1 } } } },
      },
      'with numbers of an exempt level that are bad': {
        spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 } },
      },
      'that rejects, with queues': limited({
        limitResponse: { type: 'Reject', queuing: { queues: 1 } },
      }),
      'that queues, without queues': limited({ limitResponse: { type: 'Queue' } }),
      'with another response': limited({ limitResponse: { type: 'Shrug' } }),
      'with queues by default': queued({}),
      'with a hand by default that is too large': queued({ queues: 4 }),
      'with negative queues': queued({ queues: -1, handSize: -1, queueLengthLimit: -1 }),
      'with too many queues': queued({ queues: 10000001, handSize: 1 }),
      'with a hand that takes too much chance': queued({ queues: 1024, handSize: 7 }),
      'with a hand that just fits': queued({ queues: 1024, handSize: 6 }),
      'with too much to lend': limited({ lendablePercent: 101 }),
      'with less than nothing to lend': limited({ lendablePercent: -1 }),
      'with less than nothing to borrow': limited({ borrowingLimitPercent: -1 }),
      'with much to borrow': limited({ borrowingLimitPercent: 1000 }),
      'with the annotation of an old version': {
        ...limited(),
        metadata: {
          annotations: { 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares': '' },
        },
      },
      'with a status': { ...limited(), status: { conditions: [{ type: 'X' }] } },
    }),
    row(
      PriorityLevelConfiguration,
      'update',
      'of the status',
      given(PriorityLevelConfiguration, limited()),
      put(
        PriorityLevelConfiguration,
        {
          ...limited({ nominalConcurrencyShares: 9 }),
          status: { conditions: [{ type: 'Ready', status: 'True', reason: 'R' }] },
        },
        { path: `${collection(PriorityLevelConfiguration)}/{ns}-a/status` },
      ),
    ),
    row(
      PriorityLevelConfiguration,
      'update',
      'of the status, with the same condition twice and one of no type',
      given(PriorityLevelConfiguration, limited()),
      put(
        PriorityLevelConfiguration,
        { ...limited(), status: { conditions: [{ type: 'A' }, { type: 'A' }, {}] } },
        { path: `${collection(PriorityLevelConfiguration)}/{ns}-a/status` },
      ),
    ),
    row(PriorityLevelConfiguration, 'patch', 'catch-all, which is mandatory', {
      ...patch(PriorityLevelConfiguration, 'merge', {
        spec: { limited: { nominalConcurrencyShares: 50 } },
      }),
      path: `${collection(PriorityLevelConfiguration)}/catch-all`,
    }),
    row(PriorityLevelConfiguration, 'patch', 'exempt, which is mandatory', {
      ...patch(PriorityLevelConfiguration, 'merge', {
        spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
      }),
      path: `${collection(PriorityLevelConfiguration)}/exempt`,
    }),
    row(PriorityLevelConfiguration, 'get', 'exempt as a Table', {
      name: 'get',
      path: `${collection(PriorityLevelConfiguration)}/exempt`,
      headers: { accept: TABLE },
      view: 'shape',
    }),
  ],
};
