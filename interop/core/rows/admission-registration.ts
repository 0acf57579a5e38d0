/**
 * The kinds of admissionregistration.k8s.io. Rows store objects about a group that is not served: the original acts on
 * them at once.
 */
import type { JsonObject } from '../../differential/json.ts';
import type { Row, RowGroup } from '../../differential/row.ts';
import {
  type Kind,
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  MutatingWebhookConfiguration,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
  ValidatingWebhookConfiguration,
} from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import { creates, get, given, patch, pathOf, put, row, TABLE, updates } from './words.ts';

const rule = (more: JsonObject = {}): JsonObject => ({
  operations: ['CREATE'],
  apiGroups: ['rows.example.com'],
  apiVersions: ['v1'],
  resources: ['things'],
  ...more,
});
const SERVICE: JsonObject = { namespace: 'eu', name: 'hook' };
const hook = (more: JsonObject = {}): JsonObject => ({
  name: 'a.rows.example.com',
  clientConfig: { service: SERVICE },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});
const hooks = (...webhooks: JsonObject[]): JsonObject => ({ webhooks });
const hooked = (more: JsonObject): JsonObject => hooks(hook(more));
const ruled = (...rules: JsonObject[]): JsonObject => hooked({ rules });
const served = (service: JsonObject): JsonObject =>
  hooked({ clientConfig: { service: { ...SERVICE, ...service } } });
const at = (url: string): JsonObject => hooked({ clientConfig: { url } });

const EXISTS: JsonObject = { matchExpressions: [{ key: 'app', operator: 'Exists' }] };
const BAD_SELECTOR: JsonObject = {
  matchLabels: { 'a b': 'c' },
  matchExpressions: [{ key: 'app', operator: 'Like', values: ['x y'] }],
};

const fullHook = hook({
  rules: [rule({ operations: ['CREATE', 'UPDATE'], resources: ['things', 'things/*'] })],
  failurePolicy: 'Ignore',
  matchPolicy: 'Exact',
  namespaceSelector: { matchLabels: { app: 'a' } },
  objectSelector: EXISTS,
  sideEffects: 'NoneOnDryRun',
  timeoutSeconds: 5,
  admissionReviewVersions: ['v1', 'v1beta1'],
  matchConditions: [{ name: 'not-mine', expression: 'request.userInfo.username != "me"' }],
});

/** Both kinds of webhooks have these. */
function webhookRows(kind: Kind, own: JsonObject): Row[] {
  return [
    ...everyKind(kind, {
      minimal: hooked({}),
      full: hooks(
        { ...fullHook, ...own },
        hook({
          name: 'b.rows.example.com',
          clientConfig: { url: 'https://hook.example.com/path' },
        }),
      ),
      changed: hooked({ timeoutSeconds: 7 }),
      merge: { webhooks: [hook({ failurePolicy: 'Ignore' })] },
      json: [{ op: 'replace', path: '/webhooks/0/timeoutSeconds', value: 9 }],
      strategic: { webhooks: [{ name: 'a.rows.example.com', timeoutSeconds: 3 }] },
      applied: hooked({ timeoutSeconds: 4, rules: [rule()] }),
      wrongTypes: {
        'with webhooks that are an object': { webhooks: {} },
        'with a bundle that is no base64': hooked({ clientConfig: { url: 'x', caBundle: '!' } }),
        'with a time that is a text': hooked({ timeoutSeconds: '5' }),
      },
    }),
    ...creates(kind, {
      'without webhooks': {},
      'with an empty webhook': hooks({}),
      'with a name that is not qualified': hooked({ name: 'example.com' }),
      'with a bad name of a webhook': hooked({ name: 'Bad.example.com' }),
      'with the same name twice': hooks(hook(), hook()),
      'with a reserved name': { ...hooked({}), metadata: { name: '{ns}-a.static.k8s.io' } },
      'with a URL and a service': hooked({
        clientConfig: { url: 'https://x', service: SERVICE },
      }),
      'with neither URL nor service': hooked({ clientConfig: {} }),
      'with a URL of another scheme': at('http://x'),
      'with a URL that is none': at('https://x y/%zz'),
      'with a URL of nothing': at(''),
      'with a URL with everything': at('https://me:secret@x/path?a=b#c'),
      'with a URL of a host with a port': at('https://127.0.0.1:8443'),
      'with a URL without a scheme': at('hook.example.com/path'),
      'with a service without names': served({ namespace: '', name: '' }),
      'with a service without a name': served({ name: '' }),
      'with a service without a namespace': served({ namespace: '' }),
      'with a URL of an escape that is none': at('https://x/%zz'),
      'with a URL of a port that is none': at('https://x:port/'),
      'with a URL without anything before its colon': at('://x'),
      'with a URL whose path has a colon': at('a/b:c'),
      'with a URL that begins with a number': at('1x:y'),
      'with a URL of an open bracket': at('https://[::1/x'),
      'with a service at a port': served({ port: 8443, path: '/hook' }),
      'with a service at no port': served({ port: 0 }),
      'with a service at a path without a slash': served({ path: 'hook' }),
      'with a service at an empty path': served({ path: '//' }),
      'with a service at a bad path': served({ path: '/a//B_c/' }),
      'without side effects said': hooked({ sideEffects: null }),
      'with side effects': hooked({ sideEffects: 'Some' }),
      'without versions of reviews': hooked({ admissionReviewVersions: [] }),
      'with unknown versions of reviews': hooked({ admissionReviewVersions: ['v7', 'v7', 'V 8'] }),
      'with a time too short': hooked({ timeoutSeconds: 0 }),
      'with a time too long': hooked({ timeoutSeconds: 31 }),
      'with unknown policies': hooked({ failurePolicy: 'Shrug', matchPolicy: 'Guess' }),
      'with bad selectors': hooked({
        namespaceSelector: BAD_SELECTOR,
        objectSelector: BAD_SELECTOR,
      }),
      'with an empty rule': ruled({}),
      'with a rule about everything and more': ruled(
        rule({
          operations: ['*', 'CREATE'],
          apiGroups: ['*', ''],
          apiVersions: ['*', 'v1'],
          resources: ['*', 'pods'],
        }),
      ),
      'with a rule of unknown operations': ruled(rule({ operations: ['create', 'READ'] })),
      'with a rule of an unknown scope': ruled(rule({ scope: 'Planet' })),
      'with a rule of empty texts': ruled(rule({ apiVersions: [''], resources: [''] })),
      'with a rule that covers itself': ruled(
        rule({ resources: ['pods/*', 'pods/status', '*/scale', 'pods/scale', '*/*'] }),
      ),
      'with a rule of a scope': ruled(rule({ scope: 'Namespaced' })),
      'with bad conditions': hooked({
        matchConditions: [
          { name: '', expression: ' ' },
          { name: 'a b', expression: 'true' },
          { name: 'x', expression: 'true' },
          { name: 'x', expression: 'false' },
        ],
      }),
      'with too many conditions': hooked({
        matchConditions: Array.from({ length: 65 }, (_, index) => ({
          name: `c${index}`,
          expression: 'true',
        })),
      }),
    }),
    ...updates(kind, {
      'to a webhook more': {
        from: hooked({}),
        to: hooks(hook(), hook({ name: 'b.rows.example.com' })),
      },
      'to side effects': { from: hooked({}), to: hooked({ sideEffects: 'Unknown' }) },
      'of a label': {
        from: hooked({}),
        to: { ...hooked({}), metadata: { labels: { a: 'b' } } },
      },
    }),
    row(kind, 'get', 'a status that is not there', given(kind, hooked({})), {
      name: 'get',
      path: `${pathOf(kind)}/status`,
    }),
  ];
}

export const validatingWebhooks: RowGroup = {
  name: 'validatingwebhookconfigurations',
  rows: webhookRows(ValidatingWebhookConfiguration, {}),
};

export const mutatingWebhooks: RowGroup = {
  name: 'mutatingwebhookconfigurations',
  rows: [
    ...webhookRows(MutatingWebhookConfiguration, { reinvocationPolicy: 'IfNeeded' }),
    ...creates(MutatingWebhookConfiguration, {
      'with an unknown policy of calling again': hooked({ reinvocationPolicy: 'Always' }),
    }),
  ],
};

const CONSTRAINTS: JsonObject = { resourceRules: [rule()] };
const validating = (more: JsonObject = {}): JsonObject => ({
  spec: {
    matchConstraints: CONSTRAINTS,
    validations: [{ expression: 'object.spec.size < 5' }],
    ...more,
  },
});
const matching = (more: JsonObject): JsonObject => ({
  matchConstraints: { ...CONSTRAINTS, ...more },
});
const PARAM_KIND: JsonObject = { apiVersion: 'rows.example.com/v1', kind: 'Limit' };
const STATUS = `${pathOf(ValidatingAdmissionPolicy)}/status`;

/** Both kinds of policies have these; `policy` makes one. */
function policyRows(kind: Kind, policy: (more?: JsonObject) => JsonObject): Row[] {
  return creates(kind, {
    'without a spec': {},
    'without constraints': policy({ matchConstraints: null }),
    'without rules': policy({ matchConstraints: {} }),
    'with an unknown policy': policy({ failurePolicy: 'Shrug' }),
    'with an unknown way to match': policy(matching({ matchPolicy: 'Guess' })),
    'with bad selectors': policy(
      matching({ namespaceSelector: BAD_SELECTOR, objectSelector: BAD_SELECTOR }),
    ),
    'with an empty rule': policy(matching({ resourceRules: [{}] })),
    'with rules that leave things out': policy(
      matching({ excludeResourceRules: [rule({ resourceNames: ['x'] })] }),
    ),
    'with bad names of objects': policy(
      matching({ resourceRules: [rule({ resourceNames: ['x', 'x', '..', 'a/b'] })] }),
    ),
    'with an empty kind of parameters': policy({ paramKind: {} }),
    'with a bad kind of parameters': policy({
      paramKind: { apiVersion: 'Bad_group/V1', kind: 'Bad Kind' },
    }),
    'with a kind of parameters of too many parts': policy({
      paramKind: { apiVersion: 'a/b/c', kind: 'Limit' },
    }),
    'with a kind of parameters without a version': policy({
      paramKind: { apiVersion: 'rows.example.com/', kind: 'Limit' },
    }),
    'with bad conditions': policy({
      matchConditions: [
        { name: '', expression: '' },
        { name: 'x', expression: 'true' },
        { name: 'x', expression: 'true' },
      ],
    }),
    'with bad variables': policy({
      variables: [
        { name: '', expression: '' },
        { name: 'a-b', expression: '1' },
        { name: 'in', expression: '2' },
      ],
    }),
    'with a reserved name': { ...policy(), metadata: { name: '{ns}-a.static.k8s.io' } },
  });
}

export const validatingPolicies: RowGroup = {
  name: 'validatingadmissionpolicies',
  rows: [
    ...everyKind(ValidatingAdmissionPolicy, {
      minimal: validating(),
      full: validating({
        paramKind: PARAM_KIND,
        matchConstraints: {
          namespaceSelector: EXISTS,
          objectSelector: { matchLabels: { app: 'a' } },
          resourceRules: [rule({ resourceNames: ['x'], scope: 'Namespaced' })],
          excludeResourceRules: [rule({ resources: ['others'] })],
          matchPolicy: 'Exact',
        },
        validations: [
          {
            expression: 'variables.size < params.limit',
            message: 'too large',
            messageExpression: '"too large: " + string(variables.size)',
            reason: 'Forbidden',
          },
        ],
        failurePolicy: 'Ignore',
        auditAnnotations: [{ key: 'size', valueExpression: 'string(variables.size)' }],
        matchConditions: [{ name: 'named', expression: 'object.metadata.name != ""' }],
        variables: [{ name: 'size', expression: 'object.spec.size' }],
      }),
      changed: validating({ failurePolicy: 'Ignore' }),
      merge: { spec: { failurePolicy: 'Fail' } },
      json: [{ op: 'replace', path: '/spec/failurePolicy', value: 'Fail' }],
      strategic: {
        spec: { matchConditions: [{ name: 'other', expression: 'true' }] },
      },
      applied: validating({ failurePolicy: 'Ignore' }),
      wrongTypes: {
        'with validations that are an object': validating({ validations: {} }),
        'with an expression that is a number': validating({ validations: [{ expression: 1 }] }),
      },
    }),
    ...policyRows(ValidatingAdmissionPolicy, validating),
    ...creates(ValidatingAdmissionPolicy, {
      'with nothing to validate': validating({ validations: [] }),
      'with audit annotations alone': validating({
        validations: [],
        auditAnnotations: [{ key: 'a', valueExpression: '"x"' }],
      }),
      'with bad audit annotations': validating({
        auditAnnotations: [
          { key: 'a b', valueExpression: '' },
          { key: 'c', valueExpression: '"x"' },
          { key: 'c', valueExpression: '"y"' },
        ],
      }),
      'with bad validations': validating({
        validations: [
          { expression: ' ' },
          { expression: 'true', message: ' ', messageExpression: ' ' },
          { expression: 'true', message: 'two\nlines', reason: 'Sleepy' },
        ],
      }),
      'with a status': {
        ...validating(),
        status: { observedGeneration: 7 },
      },
    }),
    row(
      ValidatingAdmissionPolicy,
      'update',
      'of the status',
      given(ValidatingAdmissionPolicy, validating()),
      put(
        ValidatingAdmissionPolicy,
        {
          ...validating({ failurePolicy: 'Ignore' }),
          metadata: { labels: { other: 'label' } },
          status: {
            observedGeneration: 1,
            typeChecking: {
              expressionWarnings: [
                { fieldRef: 'spec.validations[0].expression', warning: 'not known' },
              ],
            },
            conditions: [
              {
                type: 'Ready',
                status: 'True',
                reason: 'Fine',
                message: '',
                lastTransitionTime: '2020-01-02T03:04:05Z',
              },
            ],
          },
        },
        { path: STATUS },
      ),
      get(ValidatingAdmissionPolicy),
    ),
    row(
      ValidatingAdmissionPolicy,
      'update',
      'of the status to a bad one',
      given(ValidatingAdmissionPolicy, validating()),
      patch(
        ValidatingAdmissionPolicy,
        'merge',
        {
          status: {
            typeChecking: { expressionWarnings: [{ fieldRef: ' ', warning: '' }] },
            conditions: [
              { type: 'Ready', status: 'Perhaps', reason: '1x', message: '' },
              { type: 'Ready', status: 'True', reason: '', observedGeneration: -1, message: '' },
            ],
          },
        },
        { path: STATUS },
      ),
    ),
    row(
      ValidatingAdmissionPolicy,
      'update',
      'of everything, with a status',
      given(ValidatingAdmissionPolicy, validating()),
      put(ValidatingAdmissionPolicy, { ...validating(), status: { observedGeneration: 3 } }),
    ),
  ],
};

const mutating = (more: JsonObject = {}): JsonObject => ({
  spec: {
    matchConstraints: CONSTRAINTS,
    reinvocationPolicy: 'Never',
    mutations: [
      {
        patchType: 'JSONPatch',
        jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/spec"}]' },
      },
    ],
    ...more,
  },
});

export const mutatingPolicies: RowGroup = {
  name: 'mutatingadmissionpolicies',
  rows: [
    ...everyKind(MutatingAdmissionPolicy, {
      minimal: mutating(),
      full: mutating({
        paramKind: PARAM_KIND,
        failurePolicy: 'Ignore',
        reinvocationPolicy: 'IfNeeded',
        matchConditions: [{ name: 'named', expression: 'object.metadata.name != ""' }],
        variables: [{ name: 'size', expression: 'object.spec.size' }],
      }),
      changed: mutating({ failurePolicy: 'Ignore' }),
      merge: { spec: { failurePolicy: 'Fail' } },
      json: [{ op: 'replace', path: '/spec/failurePolicy', value: 'Fail' }],
      strategic: { spec: { matchConditions: [{ name: 'other', expression: 'true' }] } },
      applied: mutating({ failurePolicy: 'Ignore' }),
      wrongTypes: { 'with mutations that are an object': mutating({ mutations: {} }) },
    }),
    ...policyRows(MutatingAdmissionPolicy, mutating),
    ...creates(MutatingAdmissionPolicy, {
      'that changes what is deleted': mutating(
        matching({ resourceRules: [rule({ operations: ['DELETE'] })] }),
      ),
      'with nothing to change': mutating({ mutations: [] }),
      'without a policy of calling again': mutating({ reinvocationPolicy: '' }),
      'with an unknown policy of calling again': mutating({ reinvocationPolicy: 'Always' }),
      'with bad mutations': mutating({
        mutations: [
          {},
          { patchType: 'Magic' },
          { patchType: 'JSONPatch' },
          { patchType: 'JSONPatch', jsonPatch: {}, applyConfiguration: {} },
          { patchType: 'ApplyConfiguration' },
          { patchType: 'ApplyConfiguration', jsonPatch: {}, applyConfiguration: {} },
        ],
      }),
    }),
  ],
};

const bound = (more: JsonObject = {}): JsonObject => ({
  spec: { policyName: 'rows.example.com', ...more },
});
const denying = (more: JsonObject = {}): JsonObject =>
  bound({ validationActions: ['Deny'], ...more });

/** Both kinds of bindings have these. */
function bindingRows(kind: Kind, binding: (more?: JsonObject) => JsonObject): Row[] {
  const param = (paramRef: JsonObject) => binding({ paramRef });
  return [
    ...everyKind(kind, {
      minimal: binding(),
      full: binding({
        paramRef: { name: 'limit', namespace: 'eu', parameterNotFoundAction: 'Allow' },
        matchResources: { ...CONSTRAINTS, namespaceSelector: EXISTS },
      }),
      changed: binding({ policyName: 'other' }),
      merge: { spec: { policyName: 'other' } },
      json: [{ op: 'replace', path: '/spec/policyName', value: 'third' }],
      strategic: { spec: { paramRef: { name: 'another' } } },
      applied: binding({ policyName: 'fourth' }),
      wrongTypes: { 'with a name that is a number': binding({ policyName: 1 }) },
    }),
    ...creates(kind, {
      'without a spec': {},
      'with a bad name of its policy': binding({ policyName: 'Bad_Name' }),
      'with empty parameters': param({}),
      'with parameters without a namespace': param({
        name: 'limit',
        parameterNotFoundAction: 'Deny',
      }),
      'with parameters by name and selector': param({
        name: 'a/b',
        selector: BAD_SELECTOR,
        parameterNotFoundAction: 'Deny',
      }),
      'with an unknown action': param({ name: 'limit', parameterNotFoundAction: 'Shrug' }),
      'with bad resources': binding({
        matchResources: { matchPolicy: 'Guess', resourceRules: [{}] },
      }),
      'with a reserved name': { ...binding(), metadata: { name: '{ns}-a.static.k8s.io' } },
    }),
    row(
      kind,
      'get',
      'parameters by selector, as a Table',
      given(
        kind,
        param({
          selector: {
            matchLabels: { b: 'c', a: 'b' },
            matchExpressions: [{ key: 'd', operator: 'In', values: ['e', 'f'] }],
          },
          parameterNotFoundAction: 'Allow',
        }),
      ),
      get(kind, { headers: { accept: TABLE } }),
    ),
  ];
}

export const validatingBindings: RowGroup = {
  name: 'validatingadmissionpolicybindings',
  rows: [
    ...bindingRows(ValidatingAdmissionPolicyBinding, denying),
    ...creates(ValidatingAdmissionPolicyBinding, {
      'without actions': bound(),
      'with unknown actions': denying({ validationActions: ['Shrug', 'Audit', 'Audit'] }),
      'that refuses and warns': denying({ validationActions: ['Deny', 'Warn'] }),
      'that warns and notes': denying({ validationActions: ['Warn', 'Audit'] }),
    }),
  ],
};

export const mutatingBindings: RowGroup = {
  name: 'mutatingadmissionpolicybindings',
  rows: [
    ...bindingRows(MutatingAdmissionPolicyBinding, bound),
    ...creates(MutatingAdmissionPolicyBinding, {
      'for what is deleted': bound({
        matchResources: { resourceRules: [rule({ operations: ['DELETE'] })] },
      }),
    }),
  ],
};
