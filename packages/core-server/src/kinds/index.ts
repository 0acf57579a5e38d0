/** The built-in kinds, by API group. */
import type { EndpointRules } from '@tributary/apimachinery';
import type { ResourceDefinition } from '@tributary/server';
import type { EscalationSources } from '../rbac/escalation.ts';
import { mutatingPolicyKind } from './admissionregistration/mutating-admission-policy/kind.ts';
import { mutatingBindingKind } from './admissionregistration/mutating-admission-policy-binding/kind.ts';
import { mutatingWebhookKind } from './admissionregistration/mutating-webhook-configuration/kind.ts';
import { validatingPolicyKind } from './admissionregistration/validating-admission-policy/kind.ts';
import { validatingBindingKind } from './admissionregistration/validating-admission-policy-binding/kind.ts';
import { validatingWebhookKind } from './admissionregistration/validating-webhook-configuration/kind.ts';
import { controllerRevisionKind } from './apps/controller-revision/kind.ts';
import { daemonSetKind } from './apps/daemon-set/kind.ts';
import { deploymentKind } from './apps/deployment/kind.ts';
import { replicaSetKind } from './apps/replica-set/kind.ts';
import { statefulSetKind } from './apps/stateful-set/kind.ts';
import { selfSubjectReviewKind } from './authentication/self-subject-review/kind.ts';
import {
  type TokenReviewDependencies,
  tokenReviewKind,
} from './authentication/token-review/kind.ts';
import { localSubjectAccessReviewKind } from './authorization/local-subject-access-review/kind.ts';
import { selfSubjectAccessReviewKind } from './authorization/self-subject-access-review/kind.ts';
import {
  type RulesReviewDependencies,
  selfSubjectRulesReviewKind,
} from './authorization/self-subject-rules-review/kind.ts';
import { subjectAccessReviewKind } from './authorization/subject-access-review/kind.ts';
import { horizontalPodAutoscalerKind } from './autoscaling/horizontal-pod-autoscaler/kind.ts';
import { cronJobKind } from './batch/cron-job/kind.ts';
import { jobKind } from './batch/job/kind.ts';
import { certificateSigningRequestKind } from './certificates/certificate-signing-request/kind.ts';
import { leaseKind } from './coordination/lease/kind.ts';
import { bindingKind } from './core/binding/kind.ts';
import { type ComponentStatusParts, componentStatusKind } from './core/component-status/kind.ts';
import { configMapKind } from './core/config-map/kind.ts';
import { endpointsKind } from './core/endpoints/kind.ts';
import { eventKind } from './core/event/kind.ts';
import { limitRangeKind } from './core/limit-range/kind.ts';
import { namespaceKind } from './core/namespace/kind.ts';
import { nodeKind } from './core/node/kind.ts';
import { persistentVolumeKind } from './core/persistent-volume/kind.ts';
import { persistentVolumeClaimKind } from './core/persistent-volume-claim/kind.ts';
import { type PodParts, podKind } from './core/pod/kind.ts';
import { podTemplateKind } from './core/pod-template/kind.ts';
import { replicationControllerKind } from './core/replication-controller/kind.ts';
import { resourceQuotaKind } from './core/resource-quota/kind.ts';
import { secretKind } from './core/secret/kind.ts';
import { type ServiceParts, serviceKind } from './core/service/kind.ts';
import { type ServiceAccountParts, serviceAccountKind } from './core/service-account/kind.ts';
import { endpointSliceKind } from './discovery/endpoint-slice/kind.ts';
import { newEventKind } from './events/event/kind.ts';
import { flowSchemaKind } from './flowcontrol/flow-schema/kind.ts';
import { priorityLevelKind } from './flowcontrol/priority-level-configuration/kind.ts';
import { ingressKind } from './networking/ingress/kind.ts';
import { ingressClassKind } from './networking/ingress-class/kind.ts';
import { networkPolicyKind } from './networking/network-policy/kind.ts';
import { runtimeClassKind } from './node/runtime-class/kind.ts';
import { podDisruptionBudgetKind } from './policy/pod-disruption-budget/kind.ts';
import { clusterRoleKind } from './rbac/cluster-role/kind.ts';
import { clusterRoleBindingKind } from './rbac/cluster-role-binding/kind.ts';
import { roleKind } from './rbac/role/kind.ts';
import { roleBindingKind } from './rbac/role-binding/kind.ts';
import { priorityClassKind } from './scheduling/priority-class/kind.ts';
import { csiDriverKind } from './storage/csi-driver/kind.ts';
import { csiNodeKind } from './storage/csi-node/kind.ts';
import { csiStorageCapacityKind } from './storage/csi-storage-capacity/kind.ts';
import { storageClassKind } from './storage/storage-class/kind.ts';
import { volumeAttachmentKind } from './storage/volume-attachment/kind.ts';
import { volumeAttributesClassKind } from './storage/volume-attributes-class/kind.ts';

export interface KindDependencies
  extends PodParts,
    ServiceAccountParts,
    ComponentStatusParts,
    TokenReviewDependencies,
    RulesReviewDependencies,
    Pick<ServiceParts, 'addresses'> {
  readonly endpointRules: EndpointRules;
  readonly eventTtlSeconds: number;
  /** RBAC data to refuse roles and bindings that grant more than their writer has. */
  readonly escalation: EscalationSources;
}

/** The kinds of each group; groups in the order of discovery. */
export function builtInKinds(
  dependencies: KindDependencies,
): ReadonlyMap<string, readonly ResourceDefinition[]> {
  const { authorize, nowMs, endpointRules, escalation } = dependencies;
  const accounts = serviceAccountKind(dependencies);
  const event = eventKind({ ttlSeconds: dependencies.eventTtlSeconds });
  return new Map<string, readonly ResourceDefinition[]>([
    [
      '',
      [
        bindingKind(dependencies),
        componentStatusKind(dependencies),
        configMapKind,
        endpointsKind(endpointRules),
        event,
        limitRangeKind,
        namespaceKind,
        nodeKind,
        persistentVolumeClaimKind,
        persistentVolumeKind,
        podKind(accounts, dependencies),
        podTemplateKind,
        replicationControllerKind,
        resourceQuotaKind,
        secretKind,
        accounts,
        serviceKind(dependencies),
      ],
    ],
    [
      'apps',
      [controllerRevisionKind, daemonSetKind, deploymentKind, replicaSetKind, statefulSetKind],
    ],
    ['events.k8s.io', [newEventKind(event)]],
    ['authentication.k8s.io', [selfSubjectReviewKind({ nowMs }), tokenReviewKind(dependencies)]],
    [
      'authorization.k8s.io',
      [
        localSubjectAccessReviewKind({ authorize }),
        selfSubjectAccessReviewKind({ authorize }),
        selfSubjectRulesReviewKind(dependencies),
        subjectAccessReviewKind({ authorize }),
      ],
    ],
    ['autoscaling', [horizontalPodAutoscalerKind]],
    ['batch', [cronJobKind, jobKind]],
    ['certificates.k8s.io', [certificateSigningRequestKind({ authorize, nowMs })]],
    ['networking.k8s.io', [ingressClassKind, ingressKind, networkPolicyKind]],
    ['policy', [podDisruptionBudgetKind]],
    [
      'rbac.authorization.k8s.io',
      [
        clusterRoleBindingKind(escalation),
        clusterRoleKind(escalation),
        roleBindingKind(escalation),
        roleKind(escalation),
      ],
    ],
    [
      'storage.k8s.io',
      [
        csiDriverKind,
        csiNodeKind,
        csiStorageCapacityKind,
        storageClassKind,
        volumeAttachmentKind,
        volumeAttributesClassKind,
      ],
    ],
    [
      'admissionregistration.k8s.io',
      [
        mutatingPolicyKind,
        mutatingBindingKind,
        mutatingWebhookKind,
        validatingPolicyKind,
        validatingBindingKind,
        validatingWebhookKind,
      ],
    ],
    ['scheduling.k8s.io', [priorityClassKind]],
    ['coordination.k8s.io', [leaseKind()]],
    ['node.k8s.io', [runtimeClassKind]],
    ['discovery.k8s.io', [endpointSliceKind(endpointRules)]],
    ['flowcontrol.apiserver.k8s.io', [flowSchemaKind(), priorityLevelKind()]],
  ]);
}
