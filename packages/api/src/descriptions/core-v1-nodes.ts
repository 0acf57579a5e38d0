const dynamicConfig = 'Deprecated: configuration of kubelets by ConfigMap has been removed.';

/** Words for `kubectl explain` of nodes, quotas and limits, by type and by field. */
export const nodeDescriptions = (): Readonly<Record<string, string>> => ({
  Node: 'A machine that runs pods. Its kubelet registers it, and reports how it is.',
  'Node.spec': 'How the node should be used.',
  'Node.status': 'How the node is. Mostly its kubelet writes it.',
  NodeSpec: 'How the node should be used.',
  'NodeSpec.podCIDR': 'The network for the pods of the node. It cannot be changed once set.',
  'NodeSpec.podCIDRs': 'At most one network for each address family; the first equals podCIDR.',
  'NodeSpec.providerID':
    'The machine at the cloud provider: <provider>://<id>. It cannot be changed once set.',
  'NodeSpec.unschedulable':
    'Whether no new pods come to the node, as after kubectl cordon. Default: false.',
  'NodeSpec.taints': 'What keeps pods away that do not tolerate it.',
  'NodeSpec.configSource': dynamicConfig,
  'NodeSpec.externalID': 'Deprecated: nothing uses it; see providerID.',
  NodeStatus: 'How the node is.',
  'NodeStatus.capacity': 'All resources of the node: cpu, memory, pods and others.',
  'NodeStatus.allocatable':
    'The resources for pods, without what the system needs. Default: the capacity.',
  'NodeStatus.phase': 'Deprecated: it is never set; see the conditions.',
  'NodeStatus.conditions':
    'Observations: Ready, MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable and others.',
  'NodeStatus.addresses': 'Names and addresses by which the node is reached.',
  'NodeStatus.daemonEndpoints': 'Where programs of the node listen.',
  'NodeStatus.nodeInfo': 'Ids of the machine, and versions of what runs on it.',
  'NodeStatus.images': 'Images that the node has, the largest first; by default 50 at most.',
  'NodeStatus.volumesInUse': 'Attached volumes that the node uses, and that must not be detached.',
  'NodeStatus.volumesAttached': 'Volumes that the control plane has attached to the node.',
  'NodeStatus.config': dynamicConfig,
  'NodeStatus.runtimeHandlers': 'The handlers of the container runtime, and what they can do.',
  'NodeStatus.features': 'What the container runtime can do.',
  'NodeStatus.declaredFeatures':
    'Features of Kubernetes that the node has and that the scheduler must know of. Beta.',
  NodeConfigSource: dynamicConfig,
  'NodeConfigSource.configMap': 'The ConfigMap with the configuration.',
  ConfigMapNodeConfigSource: dynamicConfig,
  'ConfigMapNodeConfigSource.namespace': 'The namespace of the ConfigMap.',
  'ConfigMapNodeConfigSource.name': 'The name of the ConfigMap.',
  'ConfigMapNodeConfigSource.uid': 'The uid of the ConfigMap. Only in the status.',
  'ConfigMapNodeConfigSource.resourceVersion': 'The version of the ConfigMap. Only in the status.',
  'ConfigMapNodeConfigSource.kubeletConfigKey':
    'The key of the ConfigMap that holds the KubeletConfiguration.',
  NodeConfigStatus: dynamicConfig,
  'NodeConfigStatus.assigned': 'The configuration that the node should use.',
  'NodeConfigStatus.active': 'The configuration that the node uses.',
  'NodeConfigStatus.lastKnownGood': 'The configuration to go back to when another one fails.',
  'NodeConfigStatus.error': 'Why the assigned configuration is not used, for people.',
  NodeCondition: 'One observation about a node.',
  'NodeCondition.type':
    'What was observed: Ready, MemoryPressure, DiskPressure, PIDPressure, NetworkUnavailable or another.',
  'NodeCondition.status':
    'Whether it holds: True, False, or Unknown when the node is not heard of.',
  'NodeCondition.lastHeartbeatTime': 'When it was last reported, even unchanged.',
  'NodeCondition.lastTransitionTime': 'When the status last became another.',
  'NodeCondition.reason': 'Why, as one word for programs.',
  'NodeCondition.message': 'Why, as a sentence for people.',
  NodeAddress: 'A name or address of a node.',
  'NodeAddress.type': 'Hostname, InternalIP, ExternalIP, InternalDNS or ExternalDNS.',
  'NodeAddress.address': 'The name or address itself.',
  NodeDaemonEndpoints: 'Where programs of the node listen.',
  'NodeDaemonEndpoints.kubeletEndpoint': 'Where the kubelet listens.',
  DaemonEndpoint: 'Where a program of the node listens.',
  'DaemonEndpoint.Port': 'The number of the port.',
  NodeSystemInfo: 'Ids of the machine, and versions of what runs on it.',
  'NodeSystemInfo.machineID': 'The id of the installation, as in /etc/machine-id.',
  'NodeSystemInfo.systemUUID': 'The id of the hardware or virtual machine, as its firmware has it.',
  'NodeSystemInfo.bootID': 'An id that is another one after each boot.',
  'NodeSystemInfo.kernelVersion': 'The version of the kernel, as of uname -r.',
  'NodeSystemInfo.osImage': 'The operating system with its version, as in /etc/os-release.',
  'NodeSystemInfo.containerRuntimeVersion':
    'The container runtime with its version, such as containerd://2.1.0.',
  'NodeSystemInfo.kubeletVersion': 'The version of the kubelet.',
  'NodeSystemInfo.kubeProxyVersion': 'Deprecated: kubelets leave it empty.',
  'NodeSystemInfo.operatingSystem': 'linux or windows.',
  'NodeSystemInfo.architecture': 'The architecture as Go names it, such as amd64 or arm64.',
  'NodeSystemInfo.swap': 'The swap memory of the node. Left out when there is none.',
  NodeSwapStatus: 'The swap memory of a node.',
  'NodeSwapStatus.capacity': 'How much there is, in bytes.',
  NodeRuntimeHandler: 'A handler of the container runtime, which a RuntimeClass can name.',
  'NodeRuntimeHandler.name': 'The name; empty for the default handler.',
  'NodeRuntimeHandler.features': 'What the handler can do.',
  NodeRuntimeHandlerFeatures: 'What a handler of the container runtime can do.',
  'NodeRuntimeHandlerFeatures.recursiveReadOnlyMounts':
    'Whether it can make mounts read-only with all mounts below them.',
  'NodeRuntimeHandlerFeatures.userNamespaces':
    'Whether it can run pods, with their volumes, in user namespaces.',
  NodeFeatures: 'What the container runtime of a node can do, with any handler.',
  'NodeFeatures.supplementalGroupsPolicy':
    'Whether it supports supplementalGroupsPolicy of pods and reports users of containers.',
  ContainerImage: 'An image that a node has.',
  'ContainerImage.names': 'All names of the image, with tags and with digests.',
  'ContainerImage.sizeBytes': 'The size, in bytes.',
  AttachedVolume: 'A volume that is attached to a node.',
  'AttachedVolume.name': 'The name, which is unique among volumes of all plugins.',
  'AttachedVolume.devicePath': 'The path of the device on the node. It may be empty.',
  Taint: 'What keeps pods away from a node unless they tolerate it.',
  'Taint.key': 'The key, a qualified name as of labels.',
  'Taint.value': 'The value, as of labels. It may be left out.',
  'Taint.effect':
    'NoSchedule: no new pods. PreferNoSchedule: rather no new pods. NoExecute: running pods go, too.',
  'Taint.timeAdded': 'When the taint was added, if whoever added it says so.',

  LimitRange: 'Least, most and default resources of single objects in a namespace.',
  'LimitRange.spec': 'The limits.',
  LimitRangeSpec: 'Limits, for one kind of object each.',
  'LimitRangeSpec.limits': 'The limits. Each kind of object can be there once.',
  LimitRangeItem: 'Limits for one kind of object.',
  'LimitRangeItem.type': 'What they apply to: Pod, Container or PersistentVolumeClaim.',
  'LimitRangeItem.max': 'The most that one may have, by resource.',
  'LimitRangeItem.min': 'The least that one must request, by resource.',
  'LimitRangeItem.default':
    'Limits of containers that have none, by resource. Default: max. Not for the type Pod.',
  'LimitRangeItem.defaultRequest':
    'Requests of containers that have none. Default: the default limit, or min. Not for the type Pod.',
  'LimitRangeItem.maxLimitRequestRatio':
    'How many times its request a limit may be, by resource. Both must then be set.',

  ResourceQuota: 'How much a namespace may use in all.',
  'ResourceQuota.spec': 'How much may be used.',
  'ResourceQuota.status': 'How much is used. A controller writes it.',
  ResourceQuotaSpec: 'How much may be used, and which objects count.',
  'ResourceQuotaSpec.hard':
    'The most of each resource, such as pods, requests.cpu or count/deployments.apps.',
  'ResourceQuotaSpec.scopes':
    'Which objects count: those of all these scopes, such as BestEffort or Terminating. Default: all.',
  'ResourceQuotaSpec.scopeSelector':
    'Which objects count, by scopes with values. Those of scopes must match, too.',
  ResourceQuotaStatus: 'How much may be used, and is.',
  'ResourceQuotaStatus.hard': 'The limits that are enforced.',
  'ResourceQuotaStatus.used': 'How much of each resource is used.',
  ScopeSelector: 'Which objects a quota counts, by scopes with values.',
  'ScopeSelector.matchExpressions': 'What an object must match, all of it.',
  ScopedResourceSelectorRequirement: 'A scope, and which values of it count.',
  'ScopedResourceSelectorRequirement.scopeName':
    'Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, CrossNamespacePodAffinity or VolumeAttributesClass.',
  'ScopedResourceSelectorRequirement.operator':
    'In, NotIn, Exists or DoesNotExist. Only PriorityClass and VolumeAttributesClass take more than Exists.',
  'ScopedResourceSelectorRequirement.values':
    'The values for In and NotIn, such as names of priority classes. Empty for the others.',

  ReplicationController: 'So many pods that are alike. Deployments have replaced it.',
  'ReplicationController.spec': 'Which pods, and how many.',
  'ReplicationController.status': 'How many pods there are. A controller writes it.',
  ReplicationControllerSpec: 'Which pods, and how many.',
  'ReplicationControllerSpec.replicas': 'How many pods. Default: 1.',
  'ReplicationControllerSpec.minReadySeconds':
    'How long a new pod must be ready to count as available. Default: 0.',
  'ReplicationControllerSpec.selector':
    'Labels of its pods, which its template must have. Default: the labels of the template.',
  'ReplicationControllerSpec.template':
    'The pods that are made when some are missing. Their restart policy must be Always.',
  ReplicationControllerStatus: 'How many pods there are.',
  'ReplicationControllerStatus.replicas': 'How many pods there are.',
  'ReplicationControllerStatus.fullyLabeledReplicas':
    'How many pods have all labels of the template.',
  'ReplicationControllerStatus.readyReplicas': 'How many pods are ready.',
  'ReplicationControllerStatus.availableReplicas': 'How many pods have been ready for long enough.',
  'ReplicationControllerStatus.observedGeneration': 'The generation that the controller has seen.',
  'ReplicationControllerStatus.conditions':
    'What is known of it: ReplicaFailure when pods cannot be made or deleted.',
  ReplicationControllerCondition: 'One thing that is known of a ReplicationController.',
  'ReplicationControllerCondition.type': 'What it is about: ReplicaFailure.',
  'ReplicationControllerCondition.status': 'True, False or Unknown.',
  'ReplicationControllerCondition.lastTransitionTime': 'When the status last became another one.',
  'ReplicationControllerCondition.reason': 'Why, in one word for programs.',
  'ReplicationControllerCondition.message': 'Why, for people.',

  TopologySelectorTerm: 'Where volumes may be made, by labels of nodes. All of them must match.',
  'TopologySelectorTerm.matchLabelExpressions': 'The labels that nodes there must have.',
  TopologySelectorLabelRequirement: 'A label that nodes must have.',
  'TopologySelectorLabelRequirement.key': 'The key of the label.',
  'TopologySelectorLabelRequirement.values': 'Its values, one of which nodes must have.',

  Binding: 'Puts a pod on a node. Schedulers post it to the binding endpoint of the pod.',
  'Binding.target': 'The node, by its name.',
  'NodeSpec.podPreemptionPolicy': 'Limits on the preemption of pods on this node.',
  NodePodPreemptionPolicy: 'Limits on the preemption of pods on a node.',
  'NodePodPreemptionPolicy.disableResizePreemption':
    'Resources for whose in-place resize no pod on the node is preempted.',
  'NodeSystemInfo.runningInUserNamespace': 'Whether the kubelet runs in a user namespace.',
});
