/**
 * Definitions of the size and shape of well-known operators: whole pod templates, deep nesting, int-or-string, many
 * columns, several hundred kilobytes. Generated, without foreign sources.
 */
import type { JsonObject } from '../differential/json.ts';

const WORDS =
  'It is applied to every replica in turn, is merged with what the controller has by itself, and can be changed at any time; what is left out is taken from the class, and what that leaves out from the defaults of the cluster.';

/** Operators publish the documentation of every field. */
function reported(about: string, schema: JsonObject, times = 2): JsonObject {
  return {
    description: `${about}. ${Array.from({ length: times }, () => WORDS).join(' ')}`,
    ...schema,
  };
}

const text = (about: string, more: JsonObject = {}): JsonObject =>
  reported(about, { type: 'string', ...more });
const whole = (about: string, more: JsonObject = {}): JsonObject =>
  reported(about, { type: 'integer', format: 'int32', ...more });
const flag = (about: string, more: JsonObject = {}): JsonObject =>
  reported(about, { type: 'boolean', ...more });
const object = (about: string, properties: JsonObject, more: JsonObject = {}): JsonObject =>
  reported(about, { type: 'object', properties, ...more });
const listOf = (about: string, items: JsonObject, more: JsonObject = {}): JsonObject =>
  reported(about, { type: 'array', items, ...more });
const byName = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
const portOrName = reported('A port, or the name of one', {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
});
const quantity = reported('An amount', {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|)$',
  'x-kubernetes-int-or-string': true,
});
const amounts = (about: string): JsonObject =>
  reported(about, { type: 'object', additionalProperties: quantity });
const labels = (about: string): JsonObject =>
  reported(about, { type: 'object', additionalProperties: { type: 'string' } });

const selector = object(
  'Which objects are meant',
  {
    matchLabels: labels('Labels that an object must have'),
    matchExpressions: listOf(
      'Requirements that labels must meet',
      object(
        'A requirement',
        { key: text('The label'), operator: text('How'), values: listOf('With', text('A value')) },
        { required: ['key', 'operator'] },
      ),
      { 'x-kubernetes-list-type': 'atomic' },
    ),
  },
  { 'x-kubernetes-map-type': 'atomic' },
);

const keyOf = (about: string): JsonObject =>
  object(
    about,
    {
      name: text('Of the object', { default: '' }),
      key: text('In it'),
      optional: flag('Whether it may be missing'),
    },
    { required: ['key'], 'x-kubernetes-map-type': 'atomic' },
  );

const probe = (about: string): JsonObject =>
  object(about, {
    exec: object('A command', {
      command: listOf('Its words', text('A word'), { 'x-kubernetes-list-type': 'atomic' }),
    }),
    httpGet: object(
      'A request',
      {
        path: text('Where to'),
        port: portOrName,
        scheme: text('How', { enum: ['HTTP', 'HTTPS'], default: 'HTTP' }),
        httpHeaders: listOf(
          'With',
          object(
            'A header',
            { name: text('Its name'), value: text('What it says') },
            { required: ['name', 'value'] },
          ),
          { 'x-kubernetes-list-type': 'atomic' },
        ),
      },
      { required: ['port'] },
    ),
    tcpSocket: object(
      'A connection',
      { host: text('Where to'), port: portOrName },
      { required: ['port'] },
    ),
    periodSeconds: whole('How often', { minimum: 1, default: 10 }),
    failureThreshold: whole('How many times', { minimum: 1, default: 3 }),
    initialDelaySeconds: whole('How late'),
    timeoutSeconds: whole('How long', { default: 1 }),
  });

const container = object(
  'A program that runs',
  {
    name: text('Its name', { pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$', maxLength: 63 }),
    image: text('What is run'),
    imagePullPolicy: text('When it is fetched', { enum: ['Always', 'Never', 'IfNotPresent'] }),
    command: listOf('Its words', text('A word'), { 'x-kubernetes-list-type': 'atomic' }),
    args: listOf('Further words', text('A word'), { 'x-kubernetes-list-type': 'atomic' }),
    env: listOf(
      'Its surroundings',
      object(
        'One of them',
        {
          name: text('Its name'),
          value: text('What it is'),
          valueFrom: object('Where it is from', {
            configMapKeyRef: keyOf('A ConfigMap'),
            secretKeyRef: keyOf('A Secret'),
            fieldRef: object(
              'A field',
              { fieldPath: text('Which'), apiVersion: text('Of which version') },
              { required: ['fieldPath'] },
            ),
            resourceFieldRef: object(
              'An amount',
              { resource: text('Which'), divisor: quantity },
              { required: ['resource'] },
            ),
          }),
        },
        { required: ['name'] },
      ),
      byName,
    ),
    ports: listOf(
      'What it listens to',
      object(
        'A port',
        {
          containerPort: whole('Its number', { minimum: 1, maximum: 65_535 }),
          name: text('Its name'),
          protocol: text('Its kind', { default: 'TCP' }),
        },
        { required: ['containerPort'] },
      ),
      {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      },
    ),
    resources: object('What it needs', {
      limits: amounts('At most'),
      requests: amounts('At least'),
    }),
    livenessProbe: probe('How to see that it lives'),
    readinessProbe: probe('How to see that it is ready'),
    startupProbe: probe('How to see that it has begun'),
    securityContext: object('What it may', {
      runAsUser: reported('As whom', { type: 'integer', format: 'int64' }),
      privileged: flag('Whether it may everything'),
      capabilities: object('What it may beside', {
        add: listOf('More', text('One')),
        drop: listOf('Less', text('One')),
      }),
    }),
    volumeMounts: listOf(
      'What it sees',
      object(
        'A volume',
        { name: text('Which'), mountPath: text('Where'), readOnly: flag('Whether it may write') },
        { required: ['name', 'mountPath'] },
      ),
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['mountPath'] },
    ),
  },
  { required: ['name'] },
);

const podTemplate = (about: string): JsonObject =>
  object(about, {
    metadata: object('Its metadata', {
      labels: labels('Its labels'),
      annotations: labels('Its annotations'),
    }),
    spec: object(
      'What it is made of',
      {
        containers: listOf('Its programs', container, byName),
        initContainers: listOf('What runs before', container, byName),
        nodeSelector: labels('Where it may run'),
        serviceAccountName: text('As whom'),
        terminationGracePeriodSeconds: reported('How long it may take', {
          type: 'integer',
          format: 'int64',
          default: 30,
        }),
        affinity: object('Where it wants to run', {
          podAffinity: object('With whom', {
            required: listOf(
              'It must',
              object(
                'A term',
                { labelSelector: selector, topologyKey: text('How near') },
                { required: ['topologyKey'] },
              ),
            ),
            preferred: listOf(
              'It would like to',
              object(
                'A term',
                {
                  weight: whole('How much', { minimum: 1, maximum: 100 }),
                  labelSelector: selector,
                  topologyKey: text('How near'),
                },
                { required: ['weight', 'topologyKey'] },
              ),
            ),
          }),
        }),
        tolerations: listOf(
          'What it bears',
          object('A taint', {
            key: text('Which'),
            operator: text('How'),
            effect: text('What of it'),
          }),
          { 'x-kubernetes-list-type': 'atomic' },
        ),
        volumes: listOf(
          'What it has',
          object(
            'A volume',
            {
              name: text('Its name'),
              configMap: object('Of a ConfigMap', {
                name: text('Which'),
                items: listOf('What of it', keyOf('An item')),
              }),
              secret: object('Of a Secret', {
                secretName: text('Which'),
                items: listOf('What of it', keyOf('An item')),
              }),
              emptyDir: object('Of nothing', { sizeLimit: quantity }),
              csi: reported('Of a driver', {
                type: 'object',
                'x-kubernetes-preserve-unknown-fields': true,
              }),
            },
            { required: ['name'] },
          ),
          byName,
        ),
      },
      { required: ['containers'] },
    ),
  });

const conditions = listOf(
  'What became of it',
  object(
    'A condition',
    {
      type: text('Its type'),
      status: text('Whether', { enum: ['True', 'False', 'Unknown'] }),
      reason: text('Why'),
      message: text('In words'),
      lastTransitionTime: text('Since when', { format: 'date-time' }),
    },
    { required: ['type', 'status'] },
  ),
  { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
);

export interface OperatorKind {
  readonly kind: string;
  readonly plural: string;
  readonly schema: JsonObject;
  readonly columns: readonly JsonObject[];
  readonly shortNames: readonly string[];
  /** An object of it, without metadata. */
  readonly example: JsonObject;
}

/** One that watches many things, with several pod templates. */
const monitor: OperatorKind = {
  kind: 'FleetMonitor',
  plural: 'fleetmonitors',
  shortNames: ['fm'],
  schema: object('Watches a fleet', {
    spec: object(
      'What is wanted',
      {
        replicas: whole('How many', { minimum: 0, default: 1 }),
        shards: whole('In how many parts', { default: 1 }),
        paused: flag('Whether nothing is done', { default: false }),
        retention: text('How long', {
          pattern: '^(0|(([0-9]+)y)?(([0-9]+)w)?(([0-9]+)d)?(([0-9]+)h)?)$',
          default: '24h',
        }),
        serviceSelector: selector,
        ruleSelector: selector,
        template: podTemplate('The program itself'),
        sidecar: podTemplate('What runs beside'),
        gateway: podTemplate('What answers'),
        compactor: podTemplate('What tidies up'),
        storage: object('Where it keeps things', {
          size: quantity,
          class: text('Which kind'),
          volumeClaim: reported('Anything', {
            type: 'object',
            'x-kubernetes-embedded-resource': true,
            'x-kubernetes-preserve-unknown-fields': true,
          }),
        }),
      },
      {
        'x-kubernetes-validations': [
          {
            rule: 'self.replicas <= 10 || self.shards > 1',
            message: 'more than ten replicas need shards',
          },
        ],
      },
    ),
    status: object('What there is', {
      replicas: whole('How many'),
      availableReplicas: whole('How many answer'),
      selector: text('Which'),
      conditions,
    }),
  }),
  columns: [
    { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Ready', type: 'integer', jsonPath: '.status.availableReplicas' },
    {
      name: 'Reconciled',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type == 'Reconciled')].status",
    },
    {
      name: 'Available',
      type: 'string',
      jsonPath: ".status.conditions[?(@.type == 'Available')].status",
    },
    { name: 'Retention', type: 'string', jsonPath: '.spec.retention', priority: 1 },
    { name: 'Paused', type: 'boolean', jsonPath: '.spec.paused', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  example: {
    spec: {
      replicas: 2,
      template: {
        spec: {
          containers: [
            {
              name: 'main',
              image: 'example.com/main',
              extra: 1,
              ports: [{ containerPort: 80 }],
              livenessProbe: { httpGet: { port: 'http' } },
              resources: { limits: { cpu: 1, memory: '1Gi' } },
            },
          ],
        },
      },
      storage: {
        size: '10Gi',
        volumeClaim: {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: { any: 'thing' },
        },
      },
    },
  },
};

/** One that issues things, with many alternatives. */
const issuer: OperatorKind = {
  kind: 'FleetIssuer',
  plural: 'fleetissuers',
  shortNames: ['fi'],
  schema: object(
    'Issues papers',
    {
      spec: object('What is wanted', {
        acme: object(
          'From an authority',
          {
            server: text('Where'),
            email: text('Whose', { format: 'email' }),
            privateKeySecretRef: keyOf('The key'),
            solvers: listOf(
              'How to prove it',
              object(
                'A way',
                {
                  selector: object('For what', {
                    dnsNames: listOf('Names', text('A name')),
                    matchLabels: labels('Labels'),
                  }),
                  http01: object('Over HTTP', {
                    ingress: object('By an ingress', {
                      class: text('Which'),
                      podTemplate: podTemplate('What answers'),
                    }),
                    gateway: object('By a gateway', { podTemplate: podTemplate('What answers') }),
                  }),
                  dns01: object(
                    'Over DNS',
                    Object.fromEntries(
                      ['alpha', 'beta', 'gamma', 'delta'].map((name) => [
                        name,
                        object(`By ${name}`, {
                          tokenSecretRef: keyOf('The token'),
                          zone: text('Where'),
                          region: text('In which region'),
                        }),
                      ]),
                    ),
                  ),
                },
                { oneOf: [{ required: ['http01'] }, { required: ['dns01'] }] },
              ),
            ),
          },
          { required: ['server'] },
        ),
        selfSigned: object('By itself', {
          crlDistributionPoints: listOf('Where it is revoked', text('A place')),
        }),
        vault: object('From a vault', {
          path: text('Where'),
          auth: object('As whom', {
            tokenSecretRef: keyOf('The token'),
            kubernetes: object('As an account', { role: text('Which'), mountPath: text('Where') }),
          }),
        }),
      }),
      status: object('What there is', { conditions }),
    },
    { required: ['spec'] },
  ),
  columns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    {
      name: 'Status',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="Ready")].message',
      priority: 1,
    },
    {
      name: 'Age',
      type: 'date',
      jsonPath: '.metadata.creationTimestamp',
      description: 'When it was made',
    },
  ],
  example: {
    spec: {
      acme: {
        server: 'https://example.com',
        email: 'a@example.com',
        solvers: [{ dns01: { alpha: { zone: 'z', other: 1 } } }],
      },
    },
  },
};

/** One that routes things: small parts, many of them. */
const router: OperatorKind = {
  kind: 'FleetRoute',
  plural: 'fleetroutes',
  shortNames: ['fr', 'froute'],
  schema: object('Routes requests', {
    spec: object('What is wanted', {
      hosts: listOf('For whom', text('A name'), { 'x-kubernetes-list-type': 'set', maxItems: 100 }),
      gateways: listOf('By whom', text('A name')),
      ...Object.fromEntries(
        ['http', 'tls', 'tcp', 'grpc'].map((protocol) => [
          protocol,
          listOf(
            `Rules of ${protocol}`,
            object('A rule', {
              name: text('Its name'),
              match: listOf(
                'What',
                object(
                  'A match',
                  Object.fromEntries(
                    [
                      'uri',
                      'scheme',
                      'method',
                      'authority',
                      'path',
                      'query',
                      'source',
                      'header',
                    ].map((part) => [
                      part,
                      object(
                        `Of the ${part}`,
                        {
                          exact: text('This'),
                          prefix: text('It begins with'),
                          regex: text('It looks like'),
                        },
                        {
                          oneOf: [
                            {
                              not: {
                                anyOf: [
                                  { required: ['exact'] },
                                  { required: ['prefix'] },
                                  { required: ['regex'] },
                                ],
                              },
                            },
                            { required: ['exact'] },
                            { required: ['prefix'] },
                            { required: ['regex'] },
                          ],
                        },
                      ),
                    ]),
                  ),
                ),
              ),
              route: listOf(
                'Where to',
                object(
                  'A destination',
                  {
                    host: text('Who'),
                    subset: text('Which'),
                    port: object('Where', { number: whole('Its number') }),
                    weight: whole('How much', { minimum: 0, maximum: 100 }),
                  },
                  { required: ['host'] },
                ),
              ),
              timeout: text('How long'),
              retries: object('How often', {
                attempts: whole('Times'),
                perTryTimeout: text('How long each'),
                retryOn: text('When'),
              }),
              fault: object('What goes wrong', {
                delay: object('Late', {
                  fixedDelay: text('How late'),
                  percentage: object('How often', {
                    value: reported('Of hundred', { type: 'number', format: 'double' }),
                  }),
                }),
                abort: object('Not at all', {
                  httpStatus: whole('How'),
                  percentage: object('How often', {
                    value: reported('Of hundred', { type: 'number', format: 'double' }),
                  }),
                }),
              }),
              mirror: podTemplate('Who else hears of it'),
            }),
          ),
        ]),
      ),
    }),
    status: reported('Anything', { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }),
  }),
  columns: [
    { name: 'Gateways', type: 'string', jsonPath: '.spec.gateways' },
    { name: 'Hosts', type: 'string', jsonPath: '.spec.hosts' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  example: {
    spec: {
      hosts: ['a.example.com', 'b.example.com'],
      gateways: ['edge'],
      http: [
        {
          match: [{ uri: { prefix: '/' } }],
          route: [{ host: 'a', port: { number: 80 }, weight: 100 }],
        },
      ],
    },
    status: { free: { form: [1, 2] } },
  },
};

export const operatorKinds: readonly OperatorKind[] = [monitor, issuer, router];

/** A whole CustomResourceDefinition; `group` is a DNS name. */
export function operatorDefinition(
  { kind, plural, schema, columns, shortNames }: OperatorKind,
  group: string,
): JsonObject {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        kind,
        plural,
        listKind: `${kind}List`,
        singular: kind.toLowerCase(),
        shortNames,
        categories: ['all', 'fleet'],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: {
            status: {},
            ...(plural === 'fleetmonitors' && {
              scale: {
                specReplicasPath: '.spec.replicas',
                statusReplicasPath: '.status.replicas',
                labelSelectorPath: '.status.selector',
              },
            }),
          },
          additionalPrinterColumns: columns,
        },
      ],
    },
  };
}
