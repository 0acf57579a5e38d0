/** How kube-apiserver 1.36 decodes request bodies; `interop/kinds` compares the rows with it. */

import * as authentication from '@tributary/api/authentication-v1';
import * as coordination from '@tributary/api/coordination-v1';
import * as core from '@tributary/api/core-v1';
import * as discovery from '@tributary/api/discovery-v1';
import * as rbac from '@tributary/api/rbac-v1';
import type { TypedKind } from '@tributary/server/definition';

export interface DecodingRow {
  readonly name: string;
  readonly endpoint: Endpoint;
  /** JSON of the fields beside type and metadata. */
  readonly body: string;
  readonly expected:
    | { readonly error: string }
    /** The fields in the response. */
    | { readonly fields: Readonly<Record<string, unknown>> };
}

export interface Endpoint {
  readonly kind: TypedKind;
  /** The path for creating objects of the kind. */
  readonly path: string;
}

const inDefault = '/api/v1/namespaces/default';
export const endpoints = {
  configMap: { kind: core.ConfigMap, path: `${inDefault}/configmaps` },
  secret: { kind: core.Secret, path: `${inDefault}/secrets` },
  service: { kind: core.Service, path: `${inDefault}/services` },
  event: { kind: core.Event, path: `${inDefault}/events` },
  quota: { kind: core.ResourceQuota, path: `${inDefault}/resourcequotas` },
  pod: { kind: core.Pod, path: `${inDefault}/pods` },
  podTemplate: { kind: core.PodTemplate, path: `${inDefault}/podtemplates` },
  clusterRole: {
    kind: rbac.ClusterRole,
    path: '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  },
  lease: {
    kind: coordination.Lease,
    path: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
  },
  slice: {
    kind: discovery.EndpointSlice,
    path: '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices',
  },
  tokenReview: {
    kind: authentication.TokenReview,
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
  },
} as const satisfies Readonly<Record<string, Endpoint>>;

const { configMap, secret, service, event, quota, pod, podTemplate } = endpoints;
const { clusterRole, lease, slice, tokenReview } = endpoints;

export const decodingRows: readonly DecodingRow[] = [
  {
    name: 'a number in a map of strings',
    endpoint: configMap,
    body: '{"data":{"a":1}}',
    expected: {
      error: 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    },
  },
  {
    name: 'a list in a map of strings',
    endpoint: configMap,
    body: '{"data":{"a":["b"]}}',
    expected: {
      error: 'json: cannot unmarshal array into Go struct field ConfigMap.data of type string',
    },
  },
  {
    name: 'a map of strings that is a text',
    endpoint: configMap,
    body: '{"data":"a"}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field ConfigMap.data of type map[string]string',
    },
  },
  {
    name: 'a map of strings that is a list',
    endpoint: configMap,
    body: '{"data":[]}',
    expected: {
      error:
        'json: cannot unmarshal array into Go struct field ConfigMap.data of type map[string]string',
    },
  },
  {
    name: 'a flag that is a text',
    endpoint: configMap,
    body: '{"immutable":"yes"}',
    expected: {
      error: 'json: cannot unmarshal string into Go struct field ConfigMap.immutable of type bool',
    },
  },
  {
    name: 'the first of two wrong types is told',
    endpoint: configMap,
    body: '{"immutable":1,"data":{"a":true}}',
    expected: {
      error: 'json: cannot unmarshal number into Go struct field ConfigMap.immutable of type bool',
    },
  },
  {
    name: 'the first in the order of the document',
    endpoint: configMap,
    body: '{"data":{"a":true},"immutable":1}',
    expected: {
      error: 'json: cannot unmarshal bool into Go struct field ConfigMap.data of type string',
    },
  },
  {
    name: 'null in a map of strings',
    endpoint: configMap,
    body: '{"data":{"a":null,"b":"c"}}',
    expected: { fields: { data: { a: '', b: 'c' } } },
  },
  {
    name: 'null for a map and a pointer',
    endpoint: configMap,
    body: '{"data":null,"immutable":null}',
    expected: { fields: {} },
  },
  {
    name: 'a pointer keeps its zero value',
    endpoint: configMap,
    body: '{"immutable":false}',
    expected: { fields: { immutable: false } },
  },
  {
    name: 'an empty map is not written',
    endpoint: configMap,
    body: '{"data":{},"binaryData":{}}',
    expected: { fields: {} },
  },
  {
    name: 'bytes that are not base64',
    endpoint: configMap,
    body: '{"binaryData":{"a":"?"}}',
    expected: { error: 'illegal base64 data at input byte 0' },
  },
  {
    name: 'bytes without padding',
    endpoint: configMap,
    body: '{"binaryData":{"a":"YWI"}}',
    expected: { error: 'illegal base64 data at input byte 0' },
  },
  {
    name: 'bytes with too little padding',
    endpoint: configMap,
    body: '{"binaryData":{"a":"YQ="}}',
    expected: { error: 'illegal base64 data at input byte 3' },
  },
  {
    name: 'bytes after the padding',
    endpoint: configMap,
    body: '{"binaryData":{"a":"YQ==YQ=="}}',
    expected: { error: 'illegal base64 data at input byte 4' },
  },
  {
    name: 'bytes with line ends',
    endpoint: configMap,
    body: '{"binaryData":{"a":"YW\\nJj\\r\\n"}}',
    expected: { fields: { binaryData: { a: 'YWJj' } } },
  },
  {
    name: 'bytes with bits that are not used',
    endpoint: configMap,
    body: '{"binaryData":{"a":"YR=="}}',
    expected: { fields: { binaryData: { a: 'YQ==' } } },
  },
  {
    name: 'bytes as numbers',
    endpoint: configMap,
    body: '{"binaryData":{"a":[97,98]}}',
    expected: { fields: { binaryData: { a: 'YWI=' } } },
  },
  {
    name: 'bytes as numbers that are too big',
    endpoint: configMap,
    body: '{"binaryData":{"a":[256]}}',
    expected: {
      error:
        'json: cannot unmarshal number 256 into Go struct field ConfigMap.binaryData of type uint8',
    },
  },
  {
    name: 'bytes as a list of texts',
    endpoint: configMap,
    body: '{"binaryData":{"a":["a"]}}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field ConfigMap.binaryData of type uint8',
    },
  },
  {
    name: 'bytes that are a number',
    endpoint: configMap,
    body: '{"binaryData":{"a":1}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field ConfigMap.binaryData of type []uint8',
    },
  },
  {
    name: 'empty bytes',
    endpoint: configMap,
    body: '{"binaryData":{"a":""}}',
    expected: { fields: { binaryData: { a: '' } } },
  },
  {
    name: 'null bytes',
    endpoint: configMap,
    body: '{"binaryData":{"a":null}}',
    expected: { fields: { binaryData: { a: '' } } },
  },
  {
    name: 'keys are data',
    endpoint: configMap,
    body: '{"data":{"__proto__":"x","constructor":"y"}}',
    expected: { fields: { data: { ['__proto__']: 'x', constructor: 'y' } } },
  },
  {
    name: 'keys are written in order',
    endpoint: configMap,
    body: '{"data":{"b":"2","a":"1","C":"3"}}',
    expected: { fields: { data: { C: '3', a: '1', b: '2' } } },
  },
  {
    name: "a secret's bytes that are not base64",
    endpoint: secret,
    body: '{"type":"Opaque","data":{"a":"not base64"}}',
    expected: { error: 'illegal base64 data at input byte 3' },
  },
  {
    name: 'bytes in the second quantum',
    endpoint: secret,
    body: '{"type":"Opaque","data":{"a":"YWJj$A=="}}',
    expected: { error: 'illegal base64 data at input byte 4' },
  },
  {
    name: 'a text that is a number',
    endpoint: secret,
    body: '{"type":5}',
    expected: {
      error: 'json: cannot unmarshal number into Go struct field Secret.type of type v1.SecretType',
    },
  },
  {
    name: 'an embedded text map that is wrong',
    endpoint: secret,
    body: '{"stringData":{"a":5}}',
    expected: {
      error: 'json: cannot unmarshal number into Go struct field Secret.stringData of type string',
    },
  },
  {
    name: 'a struct that is a text',
    endpoint: service,
    body: '{"spec":"x"}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field Service.spec of type v1.ServiceSpec',
    },
  },
  {
    name: 'a struct that is a list',
    endpoint: service,
    body: '{"spec":[]}',
    expected: {
      error:
        'json: cannot unmarshal array into Go struct field Service.spec of type v1.ServiceSpec',
    },
  },
  {
    name: 'a struct that is a flag',
    endpoint: service,
    body: '{"spec":true}',
    expected: {
      error: 'json: cannot unmarshal bool into Go struct field Service.spec of type v1.ServiceSpec',
    },
  },
  {
    name: 'a named string type',
    endpoint: service,
    body: '{"spec":{"type":1}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field ServiceSpec.spec.type of type v1.ServiceType',
    },
  },
  {
    name: 'a pointer to a named string type',
    endpoint: service,
    body: '{"spec":{"ipFamilyPolicy":{}}}',
    expected: {
      error:
        'json: cannot unmarshal object into Go struct field ServiceSpec.spec.ipFamilyPolicy of type v1.IPFamilyPolicy',
    },
  },
  {
    name: 'a list of named strings',
    endpoint: service,
    body: '{"spec":{"ipFamilies":[1]}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field ServiceSpec.spec.ipFamilies of type v1.IPFamily',
    },
  },
  {
    name: 'a list of named strings that is a text',
    endpoint: service,
    body: '{"spec":{"ipFamilies":"IPv4"}}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field ServiceSpec.spec.ipFamilies of type []v1.IPFamily',
    },
  },
  {
    name: 'a list of structs that is an object',
    endpoint: service,
    body: '{"spec":{"ports":{}}}',
    expected: {
      error:
        'json: cannot unmarshal object into Go struct field ServiceSpec.spec.ports of type []v1.ServicePort',
    },
  },
  {
    name: 'an element of a list of structs',
    endpoint: service,
    body: '{"spec":{"ports":["a"]}}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field ServiceSpec.spec.ports of type v1.ServicePort',
    },
  },
  {
    name: 'a number within a list of structs',
    endpoint: service,
    body: '{"spec":{"ports":[{"port":"80"}]}}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field ServicePort.spec.ports.port of type int32',
    },
  },
  {
    name: 'a number with a fraction',
    endpoint: service,
    body: '{"spec":{"ports":[{"port":1.5}]}}',
    expected: {
      error:
        'json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.port of type int32',
    },
  },
  {
    name: 'a number beyond 32 bits',
    endpoint: service,
    body: '{"spec":{"ports":[{"port":3000000000}]}}',
    expected: {
      error:
        'json: cannot unmarshal number 3000000000 into Go struct field ServicePort.spec.ports.port of type int32',
    },
  },
  {
    name: 'an int-or-string with a fraction',
    endpoint: service,
    body: '{"spec":{"ports":[{"port":80,"targetPort":1.5}]}}',
    expected: {
      error:
        'json: cannot unmarshal number 1.5 into Go struct field ServicePort.spec.ports.targetPort of type int32',
    },
  },
  {
    name: 'an int-or-string beyond 32 bits',
    endpoint: service,
    body: '{"spec":{"ports":[{"port":80,"targetPort":3000000000}]}}',
    expected: {
      error:
        'json: cannot unmarshal number 3000000000 into Go struct field ServicePort.spec.ports.targetPort of type int32',
    },
  },
  {
    name: 'an int-or-string that is a flag',
    endpoint: service,
    body: '{"spec":{"ports":[{"port":80,"targetPort":true}]}}',
    expected: {
      error:
        'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
    },
  },
  {
    name: 'an int-or-string that is an object',
    endpoint: service,
    body: '{"spec":{"ports":[{"port":80,"targetPort":{}}]}}',
    expected: {
      error:
        'json: cannot unmarshal object into Go struct field ServicePort.spec.ports.targetPort of type int32',
    },
  },
  {
    name: 'what a type finds itself comes before other errors',
    endpoint: service,
    body: '{"spec":{"type":1,"ports":[{"port":80,"targetPort":true}]}}',
    expected: {
      error:
        'json: cannot unmarshal bool into Go struct field ServicePort.spec.ports.targetPort of type int32',
    },
  },
  {
    name: 'a nested struct',
    endpoint: service,
    body: '{"spec":{"sessionAffinityConfig":{"clientIP":{"timeoutSeconds":"a"}}}}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field ClientIPConfig.spec.sessionAffinityConfig.clientIP.timeoutSeconds of type int32',
    },
  },
  {
    name: 'a status that is wrong',
    endpoint: service,
    body: '{"status":{"loadBalancer":{"ingress":[{"ip":1}]}}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field LoadBalancerIngress.status.loadBalancer.ingress.ip of type string',
    },
  },
  {
    name: 'metadata that is wrong',
    endpoint: configMap,
    body: '{"data":{"a":1},"metadata":{"labels":5}}',
    expected: {
      error: 'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
    },
  },
  {
    name: 'a number with a fraction for 64 bits',
    endpoint: pod,
    body: '{"spec":{"containers":[],"activeDeadlineSeconds":1.5}}',
    expected: {
      error:
        'json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
    },
  },
  {
    name: 'beyond 64 bits',
    endpoint: pod,
    body: '{"spec":{"containers":[],"activeDeadlineSeconds":9223372036854775808}}',
    expected: {
      error:
        'json: cannot unmarshal number 9223372036854775808 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64',
    },
  },
  {
    name: 'an embedded struct is named on the way',
    endpoint: pod,
    body: '{"spec":{"containers":[],"volumes":[{"name":"a","emptyDir":5}]}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field Volume.spec.volumes.VolumeSource.emptyDir of type v1.EmptyDirVolumeSource',
    },
  },
  {
    name: 'a field of an embedded struct',
    endpoint: pod,
    body: '{"spec":{"containers":[],"volumes":[{"name":"a","hostPath":{"path":1}}]}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field HostPathVolumeSource.spec.volumes.VolumeSource.hostPath.path of type string',
    },
  },
  {
    name: 'a quantity in the wrong format',
    endpoint: quota,
    body: '{"spec":{"hard":{"pods":"a"}}}',
    expected: {
      error:
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
  },
  {
    name: 'a quantity with an unknown suffix',
    endpoint: quota,
    body: '{"spec":{"hard":{"pods":"1Zi"}}}',
    expected: {
      error:
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
  },
  {
    name: 'a quantity that is an object',
    endpoint: quota,
    body: '{"spec":{"hard":{"pods":{}}}}',
    expected: {
      error:
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
  },
  {
    name: 'a quantity that is a flag',
    endpoint: quota,
    body: '{"spec":{"hard":{"pods":true}}}',
    expected: {
      error:
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
  },
  {
    name: 'a quantity that is empty',
    endpoint: quota,
    body: '{"spec":{"hard":{"pods":""}}}',
    expected: {
      error:
        "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    },
  },
  {
    name: 'quantities are written in their canonical form',
    endpoint: quota,
    body: '{"spec":{"hard":{"cpu":"1000m","memory":"1024Mi","pods":10,"services":"1e1","requests.cpu":"0.5","limits.memory":" 2Gi "}}}',
    expected: {
      fields: {
        spec: {
          hard: {
            cpu: '1',
            'limits.memory': '2Gi',
            memory: '1Gi',
            pods: '10',
            'requests.cpu': '500m',
            services: '10',
          },
        },
        status: {},
      },
    },
  },
  {
    name: 'null among quantities',
    endpoint: quota,
    body: '{"spec":{"hard":{"pods":null}}}',
    expected: { fields: { spec: { hard: { pods: '0' } }, status: {} } },
  },
  {
    name: 'quantities that are a list',
    endpoint: quota,
    body: '{"spec":{"hard":[]}}',
    expected: {
      error:
        'json: cannot unmarshal array into Go struct field ResourceQuotaSpec.spec.hard of type v1.ResourceList',
    },
  },
  {
    name: 'a time that is a number',
    endpoint: event,
    body: '{"involvedObject":{"namespace":"default"},"firstTimestamp":5}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field Event.firstTimestamp of type string',
    },
  },
  {
    name: 'a time that is none',
    endpoint: event,
    body: '{"involvedObject":{"namespace":"default"},"firstTimestamp":"yesterday"}',
    expected: {
      error:
        'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse "yesterday" as "2006"',
    },
  },
  {
    name: 'a time without a zone',
    endpoint: event,
    body: '{"involvedObject":{"namespace":"default"},"firstTimestamp":"2024-01-01T00:00:00"}',
    expected: {
      error:
        'parsing time "2024-01-01T00:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    },
  },
  {
    name: 'a time that is an object',
    endpoint: event,
    body: '{"involvedObject":{"namespace":"default"},"eventTime":{}}',
    expected: {
      error: 'json: cannot unmarshal object into Go struct field Event.eventTime of type string',
    },
  },
  {
    name: 'an event of nothing but its object',
    endpoint: event,
    body: '{"involvedObject":{"namespace":"default"}}',
    expected: {
      fields: {
        involvedObject: { namespace: 'default' },
        source: {},
        firstTimestamp: null,
        lastTimestamp: null,
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      },
    },
  },
  {
    name: 'times are cut and moved to UTC',
    endpoint: event,
    body: '{"involvedObject":{"namespace":"default"},"firstTimestamp":"2024-01-01T01:00:00.987+01:00","lastTimestamp":"0001-01-01T00:00:00Z","count":0,"source":{"component":""}}',
    expected: {
      fields: {
        involvedObject: { namespace: 'default' },
        source: {},
        firstTimestamp: '2024-01-01T00:00:00Z',
        lastTimestamp: null,
        eventTime: null,
        reportingComponent: '',
        reportingInstance: '',
      },
    },
  },
  {
    name: 'a time with microseconds without them',
    endpoint: lease,
    body: '{"spec":{"renewTime":"2024-01-01T00:00:00Z"}}',
    expected: {
      error:
        'parsing time "2024-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    },
  },
  {
    name: 'a time with microseconds',
    endpoint: lease,
    body: '{"spec":{"renewTime":"2024-01-01T02:00:00.123456+02:00","leaseDurationSeconds":1}}',
    expected: {
      fields: { spec: { leaseDurationSeconds: 1, renewTime: '2024-01-01T00:00:00.123456Z' } },
    },
  },
  { name: 'a lease of nothing', endpoint: lease, body: '{}', expected: { fields: { spec: {} } } },
  {
    name: 'a lease with pointers to zero values',
    endpoint: lease,
    body: '{"spec":{"holderIdentity":"","leaseTransitions":0}}',
    expected: { fields: { spec: { holderIdentity: '', leaseTransitions: 0 } } },
  },
  { name: 'no rules', endpoint: clusterRole, body: '{}', expected: { fields: { rules: null } } },
  {
    name: 'empty rules',
    endpoint: clusterRole,
    body: '{"rules":[]}',
    expected: { fields: { rules: null } },
  },
  {
    name: 'null rules',
    endpoint: clusterRole,
    body: '{"rules":null}',
    expected: { fields: { rules: null } },
  },
  {
    name: 'a rule that is null',
    endpoint: clusterRole,
    body: '{"rules":[{"verbs":["get"],"apiGroups":[""],"resources":["pods"],"resourceNames":[],"nonResourceURLs":null}]}',
    expected: { fields: { rules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }] } },
  },
  {
    name: 'null among texts',
    endpoint: clusterRole,
    body: '{"rules":[{"verbs":["get",null],"apiGroups":[""],"resources":["pods"]}]}',
    expected: { fields: { rules: [{ verbs: ['get', ''], apiGroups: [''], resources: ['pods'] }] } },
  },
  {
    name: 'texts that are a text',
    endpoint: clusterRole,
    body: '{"rules":[{"verbs":"get"}]}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field PolicyRule.rules.verbs of type []string',
    },
  },
  {
    name: 'a rule that is a text',
    endpoint: clusterRole,
    body: '{"rules":["get"]}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field ClusterRole.rules of type v1.PolicyRule',
    },
  },
  {
    name: 'rules that are a number',
    endpoint: clusterRole,
    body: '{"rules":3}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field ClusterRole.rules of type []v1.PolicyRule',
    },
  },
  {
    name: 'an empty selector stays',
    endpoint: clusterRole,
    body: '{"aggregationRule":{"clusterRoleSelectors":[{}]}}',
    expected: { fields: { rules: null, aggregationRule: { clusterRoleSelectors: [{}] } } },
  },
  {
    name: 'an empty aggregation stays',
    endpoint: clusterRole,
    body: '{"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{}, "matchExpressions":[{"key":"a","operator":"Exists","values":[]}]}]}}',
    expected: {
      fields: {
        rules: null,
        aggregationRule: {
          clusterRoleSelectors: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }],
        },
      },
    },
  },
  {
    name: 'endpoints of nothing',
    endpoint: slice,
    body: '{"addressType":"IPv4"}',
    expected: { fields: { addressType: 'IPv4', endpoints: null, ports: null } },
  },
  {
    name: 'endpoints that are empty',
    endpoint: slice,
    body: '{"addressType":"IPv4","endpoints":[],"ports":[]}',
    expected: { fields: { addressType: 'IPv4', endpoints: null, ports: null } },
  },
  {
    name: 'endpoints with zero values',
    endpoint: slice,
    body: '{"addressType":"IPv4","endpoints":[{"addresses":["10.1.2.3"],"conditions":{"ready":false}}],"ports":[{"name":"","port":80,"protocol":"TCP"}]}',
    expected: {
      fields: {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.1.2.3'], conditions: { ready: false } }],
        ports: [{ name: '', protocol: 'TCP', port: 80 }],
      },
    },
  },
  {
    name: 'conditions that are a list',
    endpoint: slice,
    body: '{"addressType":"IPv4","endpoints":[{"addresses":["10.1.2.3"],"conditions":[]}]}',
    expected: {
      error:
        'json: cannot unmarshal array into Go struct field Endpoint.endpoints.conditions of type v1.EndpointConditions',
    },
  },
  {
    name: 'extra that is a map of texts',
    endpoint: tokenReview,
    body: '{"spec":{"token":"a"},"status":{"user":{"extra":{"a":"b"}}}}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field UserInfo.status.user.extra of type v1.ExtraValue',
    },
  },
  {
    name: 'extra that is a list',
    endpoint: tokenReview,
    body: '{"spec":{"token":"a"},"status":{"user":{"extra":["b"]}}}',
    expected: {
      error:
        'json: cannot unmarshal array into Go struct field UserInfo.status.user.extra of type map[string]v1.ExtraValue',
    },
  },
  {
    name: 'audiences that are numbers',
    endpoint: tokenReview,
    body: '{"spec":{"audiences":[1]}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field TokenReviewSpec.spec.audiences of type string',
    },
  },
  {
    name: 'a template with metadata of its own',
    endpoint: podTemplate,
    body: '{"template":{"metadata":{"creationTimestamp":null,"labels":{"a":"b"}},"spec":{"containers":[{"name":"a","image":"b","imagePullPolicy":"Always","terminationMessagePath":"/x","terminationMessagePolicy":"File","resources":{"limits":{"cpu":"0.1"}}}],"restartPolicy":"Always","terminationGracePeriodSeconds":9007199254740993,"dnsPolicy":"Default","securityContext":{},"schedulerName":"x"}}}',
    expected: {
      fields: {
        template: {
          metadata: { labels: { a: 'b' } },
          spec: {
            containers: [
              {
                name: 'a',
                image: 'b',
                resources: { limits: { cpu: '100m' } },
                terminationMessagePath: '/x',
                terminationMessagePolicy: 'File',
                imagePullPolicy: 'Always',
              },
            ],
            restartPolicy: 'Always',
            terminationGracePeriodSeconds: 9007199254740993n,
            dnsPolicy: 'Default',
            securityContext: {},
            schedulerName: 'x',
          },
        },
      },
    },
  },
  {
    name: 'a template whose metadata is wrong',
    endpoint: podTemplate,
    body: '{"template":{"metadata":{"labels":{"a":1}}}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field ObjectMeta.template.metadata.labels of type string',
    },
  },
  {
    name: 'a finaliser in a template that is wrong',
    endpoint: podTemplate,
    body: '{"template":{"metadata":{"ownerReferences":[{"uid":1}]}}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field OwnerReference.template.metadata.ownerReferences.uid of type types.UID',
    },
  },
  {
    name: 'a time of the metadata that is a number',
    endpoint: configMap,
    body: '{"metadata":{"creationTimestamp":5}}',
    expected: {
      error:
        'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.creationTimestamp of type string',
    },
  },
  {
    name: 'a time of the metadata that is none',
    endpoint: configMap,
    body: '{"metadata":{"creationTimestamp":"x"}}',
    expected: {
      error: 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    },
  },
  {
    name: 'a time of a manager that is a flag',
    endpoint: configMap,
    body: '{"metadata":{"managedFields":[{"time":true}]}}',
    expected: {
      error:
        'json: cannot unmarshal bool into Go struct field ManagedFieldsEntry.metadata.managedFields.time of type string',
    },
  },
  {
    name: 'a generation that is a text',
    endpoint: configMap,
    body: '{"metadata":{"generation":"x"}}',
    expected: {
      error:
        'json: cannot unmarshal string into Go struct field ObjectMeta.metadata.generation of type int64',
    },
  },
];
