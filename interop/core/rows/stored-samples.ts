/** The bodies of rows of kinds without own behaviour. */
import type { JsonObject } from '../../differential/json.ts';

export interface StoredSample {
  /** The least that the kind accepts beside its metadata. */
  minimal: JsonObject;
  /** Sets the fields of its columns and those with defaults. */
  full: JsonObject;
  /** A merge patch of `minimal` that is accepted. */
  change: JsonObject;
  /** The same as a strategic patch, where it is another. */
  strategic?: JsonObject;
  /** Invalid bodies of a create. */
  refused?: Readonly<Record<string, JsonObject>>;
  /** Changes of `minimal` that are refused, or not made. */
  retained?: Readonly<Record<string, JsonObject>>;
  status?: JsonObject;
  scaled?: true;
  /** Another version in which the same objects are served. */
  older?: { version: string; minimal: JsonObject; change: JsonObject };
  /** One that is there before. */
  serviceAccount?: string;
}

const LABELS = { app: 'a' };
const SELECTOR = { matchLabels: LABELS };
const container = (more: JsonObject = {}): JsonObject => ({
  name: 'main',
  image: 'app:1',
  ...more,
});
const template = (spec: JsonObject = {}): JsonObject => ({
  metadata: { labels: LABELS },
  spec: { containers: [container()], ...spec },
});
const TWO_CONTAINERS: JsonObject = {
  nodeSelector: { disk: 'fast' },
  containers: [container({ ports: [{ containerPort: 80 }] }), { name: 'helper', image: 'helper' }],
};
const OTHER_SELECTOR = { selector: { matchLabels: { app: 'b' } } };
const OTHER_IMAGE = {
  spec: { template: { spec: { containers: [{ name: 'main', image: 'app:2' }] } } },
};
const condition = (type: string): JsonObject => ({
  type,
  status: 'True',
  lastTransitionTime: '2020-01-01T00:00:00Z',
  reason: 'Said',
  message: 'so',
});

const replicated = (more: JsonObject = {}): JsonObject => ({
  spec: { selector: SELECTOR, template: template(), ...more },
});
const rolling = (rollingUpdate: JsonObject): JsonObject =>
  replicated({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });
const REPLICATED: StoredSample = {
  minimal: replicated(),
  full: replicated({ replicas: 3, minReadySeconds: 5, template: template(TWO_CONTAINERS) }),
  change: { spec: { replicas: 2 } },
  strategic: OTHER_IMAGE,
  refused: {
    'with a selector of others': replicated(OTHER_SELECTOR),
    'with negative numbers': replicated({ replicas: -1, minReadySeconds: -1 }),
    'with pods that end': replicated({ template: template({ restartPolicy: 'Never' }) }),
  },
  scaled: true,
};

const POD_SPEC = { serviceAccountName: 'runner', automountServiceAccountToken: false };
const pod = (more: JsonObject = {}): JsonObject => ({
  spec: { ...POD_SPEC, containers: [container()], ...more },
});

const claim = (more: JsonObject = {}): JsonObject => ({
  metadata: { finalizers: ['kubernetes.io/pvc-protection'], labels: { row: '{ns}' } },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...more,
  },
});
const volume = (more: JsonObject = {}): JsonObject => ({
  metadata: { finalizers: ['kubernetes.io/pv-protection'], labels: { row: '{ns}' } },
  spec: {
    capacity: { storage: '1Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path: '/data' },
    ...more,
  },
});

const attributes = (parameters: JsonObject): JsonObject => ({
  metadata: { finalizers: ['kubernetes.io/vac-protection'], labels: { row: '{ns}' } },
  driverName: 'example.com',
  parameters,
});

const job = (more: JsonObject = {}): JsonObject => ({
  spec: { template: template({ restartPolicy: 'Never' }), ...more },
});
const cron = (more: JsonObject = {}): JsonObject => ({
  spec: {
    schedule: '*/5 * * * *',
    jobTemplate: { spec: { template: template({ restartPolicy: 'OnFailure' }) } },
    ...more,
  },
});
const scaler = (more: JsonObject = {}): JsonObject => ({
  spec: {
    maxReplicas: 3,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
    ...more,
  },
});
const backend = (name: string): JsonObject => ({ service: { name, port: { number: 80 } } });
const ingress = (more: JsonObject = {}): JsonObject => ({
  spec: { defaultBackend: backend('a'), ...more },
});

export const storedSamples: Readonly<Record<string, StoredSample>> = {
  pods: {
    serviceAccount: 'runner',
    minimal: pod(),
    full: pod({
      ...TWO_CONTAINERS,
      readinessGates: [{ conditionType: 'example.com/ready' }],
      tolerations: [{ key: 'a', operator: 'Exists' }],
      containers: [
        container({
          resources: { limits: { cpu: '1', memory: '1Gi' } },
          readinessProbe: { tcpSocket: { port: 80 } },
        }),
        { name: 'helper', image: 'helper' },
      ],
    }),
    change: { metadata: { annotations: { a: 'b' } } },
    strategic: { spec: { containers: [{ name: 'main', image: 'app:2' }] } },
    refused: {
      'without containers': { spec: POD_SPEC },
      'with a container without an image': pod({ containers: [{ name: 'main' }] }),
      'with an unknown restart policy': pod({ restartPolicy: 'Sometimes' }),
      'of an account that is missing': pod({ serviceAccountName: 'nobody' }),
      'of a class that is missing': pod({ priorityClassName: 'nothing' }),
    },
    retained: { 'of what a pod is': { spec: { hostname: 'other' } } },
    status: {
      phase: 'Running',
      podIP: '10.0.0.9',
      podIPs: [{ ip: '10.0.0.9' }],
      conditions: [{ type: 'Ready', status: 'True' }],
      containerStatuses: [
        {
          name: 'main',
          image: 'app:1',
          imageID: 'x',
          ready: true,
          restartCount: 2,
          state: { running: { startedAt: '2020-01-01T00:00:00Z' } },
        },
      ],
    },
  },
  podtemplates: {
    minimal: { template: template() },
    full: { template: template(TWO_CONTAINERS) },
    change: { template: { metadata: { annotations: { a: 'b' } } } },
    strategic: { template: { spec: { containers: [{ name: 'main', image: 'app:2' }] } } },
    refused: { 'without an image': { template: { spec: { containers: [{ name: 'x' }] } } } },
  },
  replicationcontrollers: {
    minimal: { spec: { template: template() } },
    full: { spec: { replicas: 3, selector: LABELS, template: template(TWO_CONTAINERS) } },
    change: { spec: { replicas: 2 } },
    strategic: OTHER_IMAGE,
    refused: {
      'with a selector of others': { spec: { selector: { app: 'b' }, template: template() } },
      'with negative numbers': {
        spec: { replicas: -1, minReadySeconds: -1, template: template() },
      },
      'with a bad name and a bad selector': {
        metadata: { name: 'Bad_Name', finalizers: ['a b/c'] },
        spec: { replicas: -1, selector: { app: 'b' }, template: template() },
      },
    },
    status: { replicas: 3, readyReplicas: 2, availableReplicas: 1, observedGeneration: 1 },
    scaled: true,
  },
  persistentvolumeclaims: {
    minimal: claim(),
    full: claim({
      storageClassName: 'fast',
      volumeMode: 'Block',
      accessModes: ['ReadWriteOnce', 'ReadOnlyMany'],
      volumeName: 'v',
    }),
    change: { metadata: { annotations: { a: 'b' } } },
    refused: {
      'without access': claim({ accessModes: [] }),
      'with unknown access': claim({ accessModes: ['Sometimes'] }),
      'without a size': claim({ resources: {} }),
      'that nothing protects': { ...claim(), metadata: {} },
      'with a negative size': claim({ resources: { requests: { storage: '-1' } } }),
    },
    retained: { 'of the access': { spec: { accessModes: ['ReadOnlyMany'] } } },
    status: {
      phase: 'Bound',
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
    },
  },
  resourcequotas: {
    minimal: { spec: { hard: { pods: '4' } } },
    full: {
      spec: {
        hard: { pods: '4', 'limits.cpu': '2', 'requests.memory': '1Gi', cpu: '1' },
        scopes: ['NotTerminating'],
      },
    },
    change: { spec: { hard: { pods: '5' } } },
    refused: {
      'with a negative number': { spec: { hard: { pods: '-1' } } },
      'with an unknown thing': { spec: { hard: { strange: '1' } } },
      'with a part of a pod': { spec: { hard: { pods: '1.5' } } },
      'with an unknown scope': { spec: { hard: { pods: '1' }, scopes: ['Everything'] } },
    },
    retained: { 'of the scopes': { spec: { scopes: ['Terminating'] } } },
    status: { hard: { pods: '4', cpu: '1' }, used: { pods: '1', cpu: '500m' } },
  },
  limitranges: {
    minimal: { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } },
    full: {
      spec: {
        limits: [
          { type: 'Container', max: { cpu: '2' }, min: { cpu: '100m', memory: '1Mi' } },
          { type: 'Pod', max: { memory: '1Gi' } },
        ],
      },
    },
    change: { spec: { limits: [{ type: 'Container', max: { cpu: '3' } }] } },
    refused: {
      'with a type twice': {
        spec: {
          limits: [
            { type: 'Pod', max: { cpu: '1' } },
            { type: 'Pod', min: { cpu: '1' } },
          ],
        },
      },
      'with less at most than at least': {
        spec: { limits: [{ type: 'Pod', max: { cpu: '1' }, min: { cpu: '2' } }] },
      },
    },
  },
  replicasets: {
    ...REPLICATED,
    retained: { 'of the selector': { spec: OTHER_SELECTOR } },
    status: {
      replicas: 3,
      readyReplicas: 2,
      availableReplicas: 1,
      fullyLabeledReplicas: 3,
      observedGeneration: 1,
      conditions: [condition('ReplicaFailure')],
    },
  },
  statefulsets: {
    ...REPLICATED,
    full: replicated({
      replicas: 3,
      serviceName: 'a',
      podManagementPolicy: 'Parallel',
      template: template(TWO_CONTAINERS),
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
    refused: {
      ...REPLICATED.refused,
      'with unknown policies': replicated({
        podManagementPolicy: 'Chaos',
        updateStrategy: { type: 'Sometimes' },
      }),
      'with a rolling update of nothing': rolling({ maxUnavailable: 0, partition: -1 }),
      'with a rolling update of too much': rolling({ maxUnavailable: '101%' }),
      'with a rolling update of no number': rolling({ maxUnavailable: 'some' }),
    },
    retained: {
      'of the service': { spec: { serviceName: 'other' } },
      'of all that stays': {
        spec: {
          podManagementPolicy: 'Parallel',
          serviceName: 'other',
          selector: {
            matchLabels: { app: 'a' },
            matchExpressions: [{ key: 'app', operator: 'Exists' }],
          },
          volumeClaimTemplates: [
            {
              metadata: { name: 'data', annotations: { note: 'a "b": <c>' } },
              spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
            },
          ],
        },
      },
    },
    status: {
      replicas: 3,
      readyReplicas: 2,
      currentReplicas: 3,
      updatedReplicas: 3,
      availableReplicas: 1,
      observedGeneration: 1,
      currentRevision: 'a-1',
      updateRevision: 'a-1',
    },
  },
  daemonsets: {
    minimal: replicated(),
    full: replicated({ minReadySeconds: 5, template: template(TWO_CONTAINERS) }),
    change: { spec: { minReadySeconds: 2 } },
    strategic: OTHER_IMAGE,
    refused: {
      'with a selector of others': replicated(OTHER_SELECTOR),
      'with pods that end': replicated({ template: template({ restartPolicy: 'Never' }) }),
      'with an unknown strategy': replicated({ updateStrategy: { type: 'Sometimes' } }),
    },
    retained: { 'of the selector': { spec: OTHER_SELECTOR } },
    status: {
      currentNumberScheduled: 3,
      numberMisscheduled: 0,
      desiredNumberScheduled: 3,
      numberReady: 2,
      observedGeneration: 1,
      updatedNumberScheduled: 3,
      numberAvailable: 1,
    },
  },
  controllerrevisions: {
    minimal: { data: { spec: { replicas: 1 } }, revision: 1 },
    full: { data: { spec: { list: [1, 'two', null] } }, revision: 7 },
    change: { revision: 2 },
    refused: {
      'with a negative revision': { data: { a: 1 }, revision: -1 },
      'without data': { revision: 1 },
    },
    retained: { 'of the data': { data: { spec: { replicas: 2 } } } },
  },
  jobs: {
    // Otherwise every pod and every update would name the uid of the job.
    minimal: job({ manualSelector: true, selector: SELECTOR }),
    full: job({ completions: 5, parallelism: 2, backoffLimit: 1, completionMode: 'Indexed' }),
    change: { spec: { parallelism: 2 } },
    refused: {
      'with pods that never end': job({ template: template() }),
      'with negative numbers': job({ completions: -1, parallelism: -1, backoffLimit: -1 }),
      'with a selector of its own': job({ selector: SELECTOR }),
    },
    retained: { 'of the completions': { spec: { completions: 9 } } },
    status: {
      active: 1,
      succeeded: 0,
      ready: 1,
      uncountedTerminatedPods: {},
    },
  },
  cronjobs: {
    minimal: cron(),
    full: cron({
      timeZone: 'Etc/UTC',
      suspend: true,
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 60,
    }),
    change: { spec: { schedule: '0 3 * * 1' } },
    refused: {
      'without a schedule': cron({ schedule: '' }),
      'with a bad schedule': cron({ schedule: 'sometimes' }),
      'with an unknown policy': cron({ concurrencyPolicy: 'Maybe' }),
      'with negative numbers': cron({
        startingDeadlineSeconds: -1,
        successfulJobsHistoryLimit: -1,
        failedJobsHistoryLimit: -1,
      }),
      'with an unknown time zone': cron({ timeZone: 'Nowhere/Else' }),
    },
    status: {
      active: [{ kind: 'Job', namespace: '{ns}', name: 'x', apiVersion: 'batch/v1' }],
    },
  },
  horizontalpodautoscalers: {
    minimal: scaler(),
    full: scaler({
      minReplicas: 2,
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
        },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 60 } },
    }),
    change: { spec: { maxReplicas: 5 } },
    refused: {
      'with less at most than at least': scaler({ minReplicas: 4 }),
      'without a target': scaler({ scaleTargetRef: {} }),
      'with negative numbers': scaler({ minReplicas: -1, maxReplicas: -2 }),
      'with none at least': scaler({ minReplicas: 0 }),
      'with a metric without a type': scaler({ metrics: [{ type: '' }] }),
      'with an unknown metric': scaler({ metrics: [{ type: 'Strange' }] }),
    },
    status: {
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', current: { averageUtilization: 42, averageValue: '10m' } },
        },
      ],
      conditions: [condition('AbleToScale')],
    },
    older: {
      version: 'autoscaling/v1',
      minimal: scaler({ targetCPUUtilizationPercentage: 55 }),
      change: { spec: { maxReplicas: 9 } },
    },
  },
  ingresses: {
    minimal: ingress(),
    full: ingress({
      ingressClassName: 'outer',
      tls: [{ hosts: ['a.example.com'], secretName: 'tls' }],
      rules: ['a', 'b', 'c', 'd'].map((host) => ({
        host: `${host}.example.com`,
        http: { paths: [{ path: '/', pathType: 'Prefix', backend: backend(host) }] },
      })),
    }),
    change: { spec: { ingressClassName: 'inner' } },
    refused: {
      'with a bad host': ingress({ rules: [{ host: 'Bad_Host' }] }),
      'with a path of no type': ingress({
        rules: [{ http: { paths: [{ path: '/', backend: backend('a') }] } }],
      }),
      'with a path without a slash': ingress({
        rules: [{ http: { paths: [{ path: 'x', pathType: 'Exact', backend: backend('a') }] } }],
      }),
      'with a backend of nothing': ingress({ defaultBackend: {} }),
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }, { hostname: 'lb.example.com' }] } },
  },
  ingressclasses: {
    minimal: { spec: { controller: 'example.com/ingress' } },
    full: {
      spec: {
        controller: 'example.com/ingress',
        parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'a' },
      },
    },
    change: {
      spec: { parameters: { apiGroup: 'example.com', kind: 'Settings', name: 'b' } },
    },
    refused: {
      'with a bad controller': { spec: { controller: 'Bad Controller' } },
      'with parameters without a name': {
        spec: { controller: 'example.com/x', parameters: { kind: 'X', name: '' } },
      },
    },
    retained: { 'of the controller': { spec: { controller: 'example.com/other' } } },
  },
  poddisruptionbudgets: {
    minimal: { spec: { selector: SELECTOR, minAvailable: 1 } },
    full: {
      spec: {
        selector: SELECTOR,
        maxUnavailable: '20%',
        unhealthyPodEvictionPolicy: 'AlwaysAllow',
      },
    },
    change: { spec: { minAvailable: '50%' } },
    refused: {
      'with both numbers': { spec: { selector: SELECTOR, minAvailable: 1, maxUnavailable: 1 } },
      'with a negative number': { spec: { selector: SELECTOR, minAvailable: -1 } },
      'with too large a part': { spec: { selector: SELECTOR, minAvailable: '120%' } },
      'with an unknown policy': {
        spec: { selector: SELECTOR, minAvailable: 1, unhealthyPodEvictionPolicy: 'Maybe' },
      },
    },
    status: {
      disruptionsAllowed: 1,
      currentHealthy: 2,
      desiredHealthy: 1,
      expectedPods: 2,
      observedGeneration: 1,
      conditions: [condition('DisruptionAllowed')],
    },
  },
  csistoragecapacities: {
    minimal: { storageClassName: 'fast' },
    full: {
      storageClassName: 'fast',
      capacity: '10Gi',
      maximumVolumeSize: '1Gi',
      nodeTopology: { matchLabels: { zone: 'a' } },
    },
    change: { capacity: '5Gi' },
    refused: { 'with a negative capacity': { storageClassName: 'fast', capacity: '-1' } },
    retained: { 'of the class': { storageClassName: 'slow' } },
  },
  persistentvolumes: {
    minimal: volume(),
    full: volume({
      storageClassName: 'fast',
      persistentVolumeReclaimPolicy: 'Delete',
      accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
      claimRef: { namespace: 'eu', name: 'data' },
      hostPath: { path: '/tmp/data', type: 'DirectoryOrCreate' },
    }),
    change: { spec: { persistentVolumeReclaimPolicy: 'Recycle' } },
    refused: {
      'without a place': { spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] } },
      'without a capacity': volume({ capacity: {} }),
      'with unknown access': volume({ accessModes: ['Sometimes'] }),
      'with an unknown policy': volume({ persistentVolumeReclaimPolicy: 'Burn' }),
    },
    retained: { 'of the place': { spec: { hostPath: { path: '/other' } } } },
    status: { phase: 'Available' },
  },
  nodes: {
    minimal: {},
    full: {
      metadata: {
        labels: { row: '{ns}', 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' },
      },
      spec: { podCIDR: '10.1.0.0/24', unschedulable: true, providerID: 'example://a' },
    },
    change: { spec: { unschedulable: true } },
    refused: {
      'with a bad range': { spec: { podCIDR: 'nowhere' } },
      'with a bad taint': { spec: { taints: [{ key: 'a b', effect: 'Sometimes' }] } },
    },
    retained: { 'of where it comes from': { spec: { podCIDR: '10.1.0.0/24', providerID: 'x' } } },
    status: {
      capacity: { cpu: '4', memory: '8Gi' },
      conditions: [{ type: 'Ready', status: 'True' }],
      addresses: [
        { type: 'InternalIP', address: '10.0.0.7' },
        { type: 'Hostname', address: 'a' },
      ],
      nodeInfo: {
        machineID: 'm',
        systemUUID: 's',
        bootID: 'b',
        kernelVersion: '6.1',
        osImage: 'Linux',
        containerRuntimeVersion: 'x://1',
        kubeletVersion: 'v1.36.3',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    },
  },
  storageclasses: {
    minimal: { provisioner: 'example.com/disk' },
    full: {
      provisioner: 'example.com/disk',
      parameters: { type: 'fast' },
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowVolumeExpansion: true,
      mountOptions: ['noatime'],
    },
    change: { allowVolumeExpansion: true },
    refused: {
      'with a bad provisioner': { provisioner: 'Bad Provisioner' },
      'with unknown policies': {
        provisioner: 'example.com/disk',
        reclaimPolicy: 'Burn',
        volumeBindingMode: 'Sometimes',
      },
    },
    retained: {
      'of the provisioner': { provisioner: 'example.com/other' },
      'of the policy': { reclaimPolicy: 'Retain' },
    },
  },
  volumeattachments: {
    minimal: {
      spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } },
    },
    full: {
      spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } },
      metadata: { annotations: { a: 'b' }, labels: { row: '{ns}' } },
    },
    change: { metadata: { annotations: { a: 'b' } } },
    refused: {
      'without a source': { spec: { attacher: 'example.com', nodeName: 'n', source: {} } },
    },
    retained: { 'of the node': { spec: { nodeName: 'other' } } },
    status: { attached: true, attachmentMetadata: { a: 'b' } },
  },
  volumeattributesclasses: {
    minimal: attributes({ iops: '1' }),
    full: attributes({ iops: '1', throughput: '2' }),
    change: { metadata: { annotations: { a: 'b' } } },
    refused: {
      'without parameters': { driverName: 'example.com' },
      'that nothing protects': { driverName: 'example.com', parameters: { iops: '1' } },
    },
    retained: { 'of the driver': { driverName: 'other.example.com' } },
  },
  csidrivers: {
    minimal: { spec: {} },
    full: {
      spec: {
        attachRequired: false,
        podInfoOnMount: true,
        fsGroupPolicy: 'File',
        volumeLifecycleModes: ['Persistent', 'Ephemeral'],
        tokenRequests: [{ audience: 'x' }],
        requiresRepublish: true,
      },
    },
    change: { spec: { podInfoOnMount: true } },
    refused: {
      'with unknown policies': { spec: { fsGroupPolicy: 'Maybe', volumeLifecycleModes: ['X'] } },
    },
    retained: { 'of how it is attached': { spec: { attachRequired: false } } },
  },
  csinodes: {
    minimal: { spec: { drivers: [] } },
    full: {
      spec: {
        drivers: [
          { name: 'example.com', nodeID: 'n', topologyKeys: ['zone'], allocatable: { count: 3 } },
        ],
      },
    },
    change: { spec: { drivers: [{ name: 'example.com', nodeID: 'n', topologyKeys: null }] } },
    status: {
      storageHealth: [
        {
          name: 'example.com',
          healthConditions: [
            {
              status: 'StorageDegraded',
              reason: 'Slow',
              lastTransitionTime: '2024-01-01T00:00:00Z',
            },
          ],
        },
      ],
    },
    refused: {
      'with a driver without a name': { spec: { drivers: [{ name: '', nodeID: '' }] } },
    },
  },
  priorityclasses: {
    minimal: { value: 10 },
    full: { value: 1000, description: 'first', preemptionPolicy: 'Never' },
    change: { description: 'changed' },
    refused: {
      'with too large a value': { value: 2000000000 },
      'with an unknown policy': { value: 1, preemptionPolicy: 'Maybe' },
      'with a reserved name': { value: 1, metadata: { name: 'system-{ns}' } },
    },
    retained: { 'of the value': { value: 11 }, 'of the policy': { preemptionPolicy: 'Never' } },
  },
  runtimeclasses: {
    minimal: { handler: 'fast' },
    full: {
      handler: 'fast',
      overhead: { podFixed: { cpu: '100m' } },
      scheduling: {
        nodeSelector: { disk: 'fast' },
        tolerations: [{ key: 'a', operator: 'Exists' }],
      },
    },
    change: { overhead: { podFixed: { cpu: '200m' } } },
    refused: { 'with a bad handler': { handler: 'Bad Handler' } },
    retained: { 'of the handler': { handler: 'slow' } },
  },
};
