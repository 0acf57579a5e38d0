/** Which specs of upstream's suite can pass without a node, as far as their source files and labels tell. */

/** Below `test/e2e` of the suite; in the other files every spec runs a pod. */
const FILES: readonly RegExp[] = [
  /^(?:apimachinery|apps|architecture|auth|instrumentation|kubectl)\//,
  /^common\/node\/(?:configmap|ephemeral_containers|lease|pod_admission|podtemplates|pods|runtimeclass|secrets|sysctl)\.go$/,
  /^dra\/dra\.go$/,
  /^network\/(?:apiserver|dual_stack|endpoints|endpointslice|endpointslicemirroring|ingress|ingressclass|service|service_cidrs|topology_hints|traffic_distribution)\.go$/,
  /^network\/netpol\/network_policy_api\.go$/,
  /^node\/(?:allocated_subresource|events|node_lifecycle|pod_admission|pod_gc|pods|runtimeclass|taints)\.go$/,
  /^scheduling\/(?:gang_scheduling|limit_range|preemption|workload|workload_aware_preemption)\.go$/,
  /^storage\/(?:csi_inline|csi_node|csistoragecapacity|ephemeral_volume|persistent_volumes|pv_protection|pvc_protection|pvc_storageclass|storageclass|volume_attachment|volumeattributesclass)\.go$/,
];

/** They need machines or a cloud, or kill the servers, or test features that are off by default. */
const LEFT_OUT =
  /\[Disruptive\]|\[Alpha\]|\[Feature:OffByDefault\]|\[LinuxOnly\]|\[Flaky\]|\[KubeletMinVersion|\bkubelet\b.*\[DRA\]|\[DRA\].*\bkubelet\b/;

export function isCandidate({ name, file }: { name: string; file: string }): boolean {
  const [, path = ''] = /\/test\/e2e\/(.*)$/.exec(file) ?? [];
  return FILES.some((pattern) => pattern.test(path)) && !LEFT_OUT.test(name);
}
