/** Deployments and network policies: stored so that charts apply, and judged like everything else. */
import type { JsonObject } from '../../differential/json.ts';
import type { RowGroup } from '../../differential/row.ts';
import { Deployment, NetworkPolicy } from '../kinds.ts';
import { everyKind } from './every-kind.ts';
import { creates, get, given, object, patch, pathOf, put, row, updates } from './words.ts';

const SELECTOR = { matchLabels: { app: 'a' } };

const container = (more: JsonObject = {}): JsonObject => ({
  name: 'main',
  image: 'app:1',
  ...more,
});

const podSpec = (spec: JsonObject): JsonObject => ({
  spec: {
    selector: SELECTOR,
    template: { metadata: { labels: { app: 'a' } }, spec },
  },
});

/** With one container. */
const deployment = (more: JsonObject = {}, inContainer: JsonObject = {}): JsonObject => {
  const { spec } = podSpec({ containers: [container(inContainer)] }) as { spec: JsonObject };
  return { spec: { ...spec, ...more } };
};

const inContainer = (more: JsonObject): JsonObject => deployment({}, more);
const withVolume = (source: JsonObject): JsonObject =>
  podSpec({ containers: [container()], volumes: [{ name: 'v', ...source }] });

const full = deployment({
  replicas: 3,
  minReadySeconds: 5,
  paused: true,
  revisionHistoryLimit: 2,
  progressDeadlineSeconds: 60,
  strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: '10%' } },
  selector: { matchLabels: { app: 'a' }, matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  template: {
    metadata: { labels: { app: 'a', tier: 'back' }, annotations: { note: 'x' } },
    spec: {
      serviceAccountName: 'runner',
      securityContext: { runAsNonRoot: true, fsGroup: 65532 },
      containers: [
        container({
          args: ['--secure-port=6443'],
          ports: [{ name: 'https', containerPort: 6443 }],
          env: [
            { name: 'PLAIN', value: 'x' },
            { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
            { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
          ],
          livenessProbe: { httpGet: { path: '/livez', port: 'https', scheme: 'HTTPS' } },
          readinessProbe: { httpGet: { port: 6443 }, periodSeconds: 5 },
          startupProbe: { grpc: { port: 6443 } },
          resources: { limits: { memory: '512Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
          securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
          volumeMounts: [
            { name: 'data', mountPath: '/data' },
            { name: 'tls', mountPath: '/tls', readOnly: true },
          ],
        }),
        { name: 'helper', image: 'helper' },
      ],
      initContainers: [{ name: 'first', image: 'registry.example.com:5000/first:latest' }],
      volumes: [
        { name: 'data' },
        { name: 'tls', secret: { secretName: 'tls' } },
        { name: 'settings', configMap: { name: 'settings', items: [{ key: 'a', path: 'b' }] } },
        {
          name: 'all',
          projected: {
            sources: [
              { serviceAccountToken: { path: 'token' } },
              { downwardAPI: { items: [{ path: 'n', fieldRef: { fieldPath: 'metadata.name' } }] } },
            ],
          },
        },
        { name: 'host', hostPath: { path: '/var' } },
      ],
    },
  },
});

const STATUS = `${pathOf(Deployment)}/status`;
const SCALE = `${pathOf(Deployment)}/scale`;

export const deployments: RowGroup = {
  name: 'deployments',
  rows: [
    ...everyKind(Deployment, {
      minimal: deployment(),
      full,
      changed: deployment({ replicas: 2 }),
      merge: { spec: { replicas: 4 } },
      json: [{ op: 'replace', path: '/spec/replicas', value: 5 }],
      strategic: {
        spec: { template: { spec: { containers: [{ name: 'main', image: 'app:2' }] } } },
      },
      applied: deployment({ replicas: 7 }, { image: 'app:3' }),
      wrongTypes: {
        'with replicas that are a text': deployment({ replicas: '3' }),
        'with containers that are an object': podSpec({ containers: {} }),
        'with a quantity that is none': inContainer({ resources: { limits: { cpu: 'much' } } }),
      },
    }),
    ...creates(Deployment, {
      'without a spec': {},
      'without a selector': { spec: { template: { spec: { containers: [container()] } } } },
      'with an empty selector': deployment({ selector: {} }),
      'with a selector of others': deployment({ selector: { matchLabels: { app: 'b' } } }),
      'with a bad selector': deployment({
        selector: { matchExpressions: [{ key: 'a b', operator: 'Like', values: ['x'] }] },
      }),
      'with negative numbers': deployment({
        replicas: -1,
        minReadySeconds: -1,
        revisionHistoryLimit: -1,
        progressDeadlineSeconds: -1,
      }),
      'that has no time to progress': deployment({
        minReadySeconds: 10,
        progressDeadlineSeconds: 10,
      }),
      'with an unknown strategy': deployment({ strategy: { type: 'Jump' } }),
      'that is recreated with a rolling update': deployment({
        strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
      }),
      'that is recreated': deployment({ strategy: { type: 'Recreate' } }),
      'that rolls by nothing': deployment({
        strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } },
      }),
      'that rolls by more than all': deployment({
        strategy: { rollingUpdate: { maxUnavailable: '101%' } },
      }),
      'that rolls by a word': deployment({ strategy: { rollingUpdate: { maxSurge: 'some' } } }),
      'with a name that is no label': { ...deployment(), metadata: { name: 'a.b' } },
      'without containers': podSpec({ containers: [] }),
      'with two containers of a name': podSpec({ containers: [container(), container()] }),
      'with a container without a name or an image': podSpec({ containers: [{}] }),
      'with a bad name of a container': inContainer({ name: 'Main' }),
      'that is not restarted': podSpec({ containers: [container()], restartPolicy: 'Never' }),
      'that restarts somehow': podSpec({ containers: [container()], restartPolicy: 'Somehow' }),
      'with a deadline': podSpec({ containers: [container()], activeDeadlineSeconds: 5 }),
      'with a bad account': podSpec({ containers: [container()], serviceAccountName: 'A_b' }),
      'with an old name of the account': podSpec({
        containers: [container()],
        serviceAccount: 'old',
      }),
      'with bad ports': inContainer({
        ports: [
          { containerPort: 0 },
          { containerPort: 70000, name: 'Web' },
          { containerPort: 80, name: 'web', protocol: 'HTTP' },
          { containerPort: 81, name: 'web' },
        ],
      }),
      'with a port of the machine twice': inContainer({
        ports: [
          { containerPort: 80, hostPort: 80 },
          { containerPort: 81, hostPort: 80 },
        ],
      }),
      'with a probe of nothing': inContainer({ livenessProbe: {} }),
      'with a probe of two things': inContainer({
        livenessProbe: { exec: { command: ['x'] }, tcpSocket: { port: 80 } },
      }),
      'with a probe that succeeds twice': inContainer({
        livenessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 },
      }),
      'with a bad probe': inContainer({
        readinessProbe: {
          httpGet: { port: 0, scheme: 'FTP', httpHeaders: [{ name: 'a b', value: 'c' }] },
          periodSeconds: -1,
          terminationGracePeriodSeconds: 0,
        },
      }),
      'with bad variables': inContainer({
        env: [
          { name: '' },
          { name: 'A=B' },
          { name: 'C', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'D', valueFrom: {} },
          { name: 'E', valueFrom: { secretKeyRef: { name: 'S', key: 'a b' } } },
        ],
      }),
      'with bad mounts': inContainer({
        volumeMounts: [
          { name: 'missing', mountPath: '/a' },
          { name: '', mountPath: '' },
        ],
      }),
      'with bad resources': inContainer({
        resources: { limits: { cpu: '1', strange: '1' }, requests: { cpu: '2' } },
      }),
      // Of two requests the original tells in any order.
      'with a negative request': inContainer({ resources: { requests: { memory: '-1' } } }),
      'with a device that is not limited': inContainer({
        resources: { requests: { 'example.com/device': '1' } },
      }),
      'with an unknown pull policy': inContainer({ imagePullPolicy: 'Sometimes' }),
      'with a bad security context': inContainer({
        securityContext: { runAsUser: -1, seccompProfile: { type: 'Strict' } },
      }),
      'with a volume of two kinds': withVolume({ emptyDir: {}, secret: { secretName: 's' } }),
      'with a Secret without a name': withVolume({ secret: { defaultMode: 1024 } }),
      'with files outside': withVolume({
        configMap: { name: 'c', items: [{ key: '', path: '../x' }] },
      }),
      'with a volume of a bad name': podSpec({
        containers: [container()],
        volumes: [{ name: 'V' }, { name: '' }, { name: 'w' }, { name: 'w' }],
      }),
      'with a digest': inContainer({ image: `app@sha256:${'a'.repeat(64)}` }),
      'with a name of an image that is none': inContainer({ image: 'App' }),
      'with an init container that is probed': podSpec({
        containers: [container()],
        initContainers: [{ name: 'main', image: 'x', livenessProbe: { tcpSocket: { port: 1 } } }],
      }),
    }),
    ...updates(Deployment, {
      'of the selector': {
        from: deployment(),
        to: deployment({
          selector: { matchLabels: { tier: 'x' } },
          template: {
            metadata: { labels: { app: 'a', tier: 'x' } },
            spec: { containers: [container()] },
          },
        }),
      },
      'of an annotation': {
        from: deployment(),
        to: { ...deployment(), metadata: { annotations: { a: 'b' } } },
      },
      'of a label': {
        from: deployment(),
        to: { ...deployment(), metadata: { labels: { a: 'b' } } },
      },
    }),
    row(
      Deployment,
      'update',
      'of the status',
      given(Deployment, deployment()),
      put(
        Deployment,
        {
          ...deployment({ replicas: 9 }),
          metadata: { labels: { other: 'label' } },
          status: { replicas: 2, readyReplicas: 1, updatedReplicas: 2, observedGeneration: 1 },
        },
        { path: STATUS },
      ),
      get(Deployment),
    ),
    row(
      Deployment,
      'update',
      'of the status with wrong numbers',
      given(Deployment, deployment()),
      patch(
        Deployment,
        'merge',
        { status: { replicas: 1, readyReplicas: 2, availableReplicas: 3, updatedReplicas: -1 } },
        { path: STATUS },
      ),
    ),
    row(
      Deployment,
      'get',
      'its scale',
      given(Deployment, full),
      get(Deployment, { path: SCALE }),
      patch(Deployment, 'merge', { spec: { replicas: 6 } }, { path: SCALE }),
      patch(Deployment, 'merge', { spec: { replicas: -6 } }, { name: 'negative', path: SCALE }),
      get(Deployment, { name: 'after' }),
    ),
  ],
};

const policy = (spec: JsonObject = {}): JsonObject => ({ spec: { podSelector: {}, ...spec } });
const from = (...peers: JsonObject[]): JsonObject => policy({ ingress: [{ from: peers }] });
const ports = (...list: JsonObject[]): JsonObject => policy({ ingress: [{ ports: list }] });

export const networkPolicies: RowGroup = {
  name: 'networkpolicies',
  rows: [
    ...everyKind(NetworkPolicy, {
      minimal: policy(),
      full: policy({
        podSelector: SELECTOR,
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          {
            ports: [{ port: 6443 }, { port: 'https', protocol: 'UDP' }],
            from: [
              { podSelector: SELECTOR, namespaceSelector: {} },
              { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
            ],
          },
        ],
        egress: [
          { ports: [{ port: 80, endPort: 90, protocol: 'SCTP' }], to: [{ podSelector: {} }] },
        ],
      }),
      changed: policy({ policyTypes: ['Egress'] }),
      merge: { spec: { policyTypes: ['Egress'] } },
      json: [{ op: 'replace', path: '/spec/podSelector', value: { matchLabels: { app: 'b' } } }],
      strategic: { spec: { podSelector: { matchLabels: { tier: 'x' } } } },
      applied: policy({ egress: [{ ports: [{ port: 443 }] }] }),
      wrongTypes: {
        'with a selector that is a list': policy({ podSelector: [] }),
        'with a port that is a truth': ports({ port: true }),
      },
    }),
    ...creates(NetworkPolicy, {
      'with rules for what goes out': policy({ egress: [{}] }),
      'with an unknown type': policy({ policyTypes: ['Sideways'] }),
      'with three types': policy({ policyTypes: ['Ingress', 'Egress', 'Ingress'] }),
      'with a bad selector': policy({ podSelector: { matchLabels: { 'a b': 'c' } } }),
      'with a peer that is nobody': from({}),
      'with a peer of two kinds': from({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
      'with bad ranges': from(
        { ipBlock: { cidr: '' } },
        { ipBlock: { cidr: '10.0.0.0' } },
        { ipBlock: { cidr: '10.0.0.1/8' } },
        { ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16', '10.0.0.0/8', 'x'] } },
      ),
      'with a range that is not in its one form': from({ ipBlock: { cidr: '2001:DB8::/32' } }),
      'with bad ports': ports(
        { port: 0 },
        { port: 'No_Name' },
        { port: 90, endPort: 80 },
        { port: 'https', endPort: 80 },
        { endPort: 80 },
        { port: 1, protocol: 'ICMP' },
      ),
    }),
    row(NetworkPolicy, 'get', 'a status that is not there', given(NetworkPolicy, policy()), {
      name: 'get',
      path: `${pathOf(NetworkPolicy)}/status`,
    }),
    row(NetworkPolicy, 'create', 'of the version before', {
      name: 'create',
      method: 'POST',
      path: '/apis/networking.k8s.io/v1beta1/namespaces/{ns}/networkpolicies',
      body: object(NetworkPolicy, policy()),
    }),
  ],
};
